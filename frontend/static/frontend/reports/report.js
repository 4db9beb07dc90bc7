// A report file carries plotly.js as gzip in base64; the browser unpacks it, then the charts draw.
const packed = Uint8Array.from(atob(document.getElementById("plotly-packed").textContent), (sign) => sign.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(stream).blob().then((plain) => {
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob([plain], { type: "text/javascript" }));
  script.addEventListener("load", () => document.dispatchEvent(new CustomEvent("sluice:plotly")));
  document.head.append(script);
});
