// ---- Offline, and the next version: worker.js keeps the page's files. Only a page from https or from this computer may
// have one; without it all is as usual, and comes from the network.
const workers = navigator.serviceWorker, keptBefore = workers?.controller != null;
let newVersion = false, tellOfVersion = () => {};
workers?.addEventListener('controllerchange', () => {
  told.offline = true;
  newVersion = keptBefore;
  if (newVersion) tellOfVersion();
});

function keepOffline(tell) {
  tellOfVersion = tell;
  if (newVersion) tell();
  if (!workers) return;
  workers.register('worker.js').then(registration => {
    if (registration.active) told.offline = true;
    if (keptBefore) return registration.update();
  }).catch(() => {});  // private windows may refuse, and the network may be away
}
