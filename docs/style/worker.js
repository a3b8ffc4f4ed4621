// Browsers start no workers for a page that is read from a file, and the search is one. There its
// script runs in a hidden frame instead. The site names this file where its theme would load one
// from elsewhere (scripts/docs_site.py).
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.frame = frame;
      this.ready = new Promise((resolve) => { frame.onload = resolve; });
      this.receive = (event) => {
        if (event.source !== frame.contentWindow) return;
        const message = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(message);
        this.onmessage?.(message);
      };
      window.addEventListener("message", this.receive);
      const page = frame.contentDocument;
      page.open();
      page.write(
        "<body><script>postMessage = (data) => parent.postMessage(data, '*');" +
        "importScripts = () => {};<\/script>" +
        `<script src="${new URL(url, location.href)}"><\/script></body>`
      );
      page.close();
    }

    postMessage(data) {
      this.ready.then(() => {
        const frame = this.frame.contentWindow;
        frame.dispatchEvent(new frame.MessageEvent("message", { data }));
      });
    }

    terminate() {
      window.removeEventListener("message", this.receive);
      this.frame.remove();
    }
  };
}
