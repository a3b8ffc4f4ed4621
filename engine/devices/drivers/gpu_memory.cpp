#include "devices/drivers/gpu_memory.hpp"

namespace streamgage::engine::gpu {

Code make_current(const Functions& api, const Use& use) {
  return api.SetDevice != nullptr ? api.SetDevice(use.device) : api.CtxSetCurrent(use.context);
}

void give_back(const Functions& api, const Use& use) {
  if (api.DevicePrimaryCtxRelease != nullptr) {
    (void)api.DevicePrimaryCtxRelease(use.device);
  }
}

Code take(const Functions& api, Use& use) {
  if (api.DevicePrimaryCtxRetain != nullptr) {
    const Code code = api.DevicePrimaryCtxRetain(&use.context, use.device);
    if (code != kSuccess) {
      return code;
    }
  }
  const Code code = make_current(api, use);
  if (code != kSuccess) {
    give_back(api, use);
  }
  return code;
}

}  // namespace streamgage::engine::gpu
