// For tests: a hybrid processor in hwloc's XML, as no synthetic description can be. A fast core
// with two hardware threads (CPUs 0-1) and two slower cores (2-3) share an L3; two low-power cores
// (4-5) have an L2 only. CPU 4 is not allowed.
#pragma once

namespace streamgage {

constexpr const char* kHybridXml = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" allowed_cpuset="0x0000002f" allowed_nodeset="0x1" cpuset="0x0000003f" complete_cpuset="0x0000003f" nodeset="0x1" complete_nodeset="0x1" gp_index="18">
    <object type="Package" os_index="0" cpuset="0x0000003f" complete_cpuset="0x0000003f" nodeset="0x1" complete_nodeset="0x1" gp_index="17">
      <object type="NUMANode" os_index="0" local_memory="34359738368" cpuset="0x0000003f" complete_cpuset="0x0000003f" nodeset="0x1" complete_nodeset="0x1" gp_index="16"/>
      <object type="L3Cache" cache_size="25165824" depth="3" cache_linesize="64" cache_associativity="0" cache_type="0" cpuset="0x0000000f" complete_cpuset="0x0000000f" nodeset="0x1" complete_nodeset="0x1" gp_index="15">
        <object type="L2Cache" cache_size="2097152" depth="2" cache_linesize="64" cache_associativity="0" cache_type="0" cpuset="0x00000003" complete_cpuset="0x00000003" nodeset="0x1" complete_nodeset="0x1" gp_index="4">
          <object type="Core" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003" nodeset="0x1" complete_nodeset="0x1" gp_index="3">
            <object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x1" complete_nodeset="0x1" gp_index="1"/>
            <object type="PU" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002" nodeset="0x1" complete_nodeset="0x1" gp_index="2"/>
          </object>
        </object>
        <object type="L2Cache" cache_size="4194304" depth="2" cache_linesize="64" cache_associativity="0" cache_type="0" cpuset="0x0000000c" complete_cpuset="0x0000000c" nodeset="0x1" complete_nodeset="0x1" gp_index="9">
          <object type="Core" os_index="1" cpuset="0x00000004" complete_cpuset="0x00000004" nodeset="0x1" complete_nodeset="0x1" gp_index="6">
            <object type="PU" os_index="2" cpuset="0x00000004" complete_cpuset="0x00000004" nodeset="0x1" complete_nodeset="0x1" gp_index="5"/>
          </object>
          <object type="Core" os_index="2" cpuset="0x00000008" complete_cpuset="0x00000008" nodeset="0x1" complete_nodeset="0x1" gp_index="8">
            <object type="PU" os_index="3" cpuset="0x00000008" complete_cpuset="0x00000008" nodeset="0x1" complete_nodeset="0x1" gp_index="7"/>
          </object>
        </object>
      </object>
      <object type="L2Cache" cache_size="2097152" depth="2" cache_linesize="64" cache_associativity="0" cache_type="0" cpuset="0x00000030" complete_cpuset="0x00000030" nodeset="0x1" complete_nodeset="0x1" gp_index="14">
        <object type="Core" os_index="3" cpuset="0x00000010" complete_cpuset="0x00000010" nodeset="0x1" complete_nodeset="0x1" gp_index="11">
          <object type="PU" os_index="4" cpuset="0x00000010" complete_cpuset="0x00000010" nodeset="0x1" complete_nodeset="0x1" gp_index="10"/>
        </object>
        <object type="Core" os_index="4" cpuset="0x00000020" complete_cpuset="0x00000020" nodeset="0x1" complete_nodeset="0x1" gp_index="13">
          <object type="PU" os_index="5" cpuset="0x00000020" complete_cpuset="0x00000020" nodeset="0x1" complete_nodeset="0x1" gp_index="12"/>
        </object>
      </object>
    </object>
  </object>
  <cpukind cpuset="0x00000030" forced_efficiency="0">
    <info name="CoreType" value="LowPower"/>
  </cpukind>
  <cpukind cpuset="0x0000000c" forced_efficiency="1">
    <info name="CoreType" value="IntelAtom"/>
  </cpukind>
  <cpukind cpuset="0x00000003" forced_efficiency="2">
    <info name="CoreType" value="IntelCore"/>
  </cpukind>
</topology>
)xml";

}  // namespace streamgage
