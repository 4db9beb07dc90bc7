// Comments stand below the heading of their section; in the report and its files there are none.

document.querySelectorAll(".comments[data-at]").forEach((box) => document.querySelector(`#${box.dataset.at} > h2`)?.after(box));
document.getElementById(location.hash.slice(1))?.scrollIntoView();
