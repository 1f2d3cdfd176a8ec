// ---- The room's window: a second one of the page, with the picture alone; it goes to the other display where the browser
// tells of displays and is allowed to. Where windows are not let open, the page itself shows the picture.
const room = {window: null, picture: null, screens: null, refused: false, watch: 0};
const kRoomRefused = 'The browser did not let a second window open, so this one shows the room\'s picture. Allow pop-ups ' +
                     'for this page, then Esc and F8 present in two.';
const kRoomHint = 'Drag this window to the room\'s display. A click, or F11, makes it fill that.';

function hint(text) {
  const line = document.getElementById('hint');
  line.textContent = told.hinted = text;
  line.hidden = false;
  setTimeout(() => { line.hidden = true; }, 8000);
}

// The display that the page is not on; with `swapped` the one that it is on.
function otherDisplay(swapped) {
  const all = room.screens?.screens || [];
  return swapped ? room.screens?.currentScreen : all.find(one => one !== room.screens.currentScreen);
}

// Whether there is a window for the room now.
function openRoom(swapped) {
  if (room.refused) return false;
  const at = otherDisplay(swapped);
  const where = at ? `,fullscreen,left=${at.availLeft},top=${at.availTop},width=${at.availWidth},height=${at.availHeight}`
                   : ',width=1280,height=720';
  const opened = window.open('', '', 'popup' + where);
  if (!opened) {
    room.refused = true;
    hint(kRoomRefused);
    return false;
  }
  room.window = opened;
  const {document: inside} = opened;
  inside.title = 'Tilewalk: the room\'s picture';
  inside.documentElement.lang = 'en';
  const canvas = inside.createElement('canvas'), line = inside.createElement('p');
  Object.assign(inside.body.style, {margin: 0, background: '#000', overflow: 'hidden', cursor: 'none'});
  Object.assign(canvas.style, {position: 'fixed', inset: 0, margin: 'auto', maxWidth: '100%', maxHeight: '100%'});
  Object.assign(line.style, {position: 'fixed', bottom: 0, width: '100%', textAlign: 'center', color: '#fff',
                             font: '20px system-ui, sans-serif', background: '#000a'});
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'What the room sees');
  line.textContent = kRoomHint;
  inside.body.append(canvas, line);
  room.picture = canvas.getContext('2d');
  const fill = () => inside.documentElement.requestFullscreen().catch(() => {});
  opened.addEventListener('keydown', event => {
    if (event.key !== 'F11') key(1, event);
    if (event.key === 'F11') fill();
    if (event.key === 'F11' || reloads(event)) event.preventDefault();  // there is no page to reload
  });
  opened.addEventListener('keyup', event => { if (event.key !== 'F11') key(0, event); });
  opened.addEventListener('click', fill);
  opened.addEventListener('resize', measureRoom);
  inside.addEventListener('fullscreenchange', () => { line.hidden = true; });
  const gone = () => { if (room.window === opened) roomIsGone(); };
  opened.addEventListener('pagehide', gone);
  clearInterval(room.watch);
  room.watch = setInterval(() => { if (opened.closed) gone(); }, 1000);  // not every end is told
  // Displays are asked for where there are several: the answer may have to come from a person first.
  if (screen.isExtended && !room.screens && window.getScreenDetails)
    getScreenDetails().then(details => { room.screens = details; moveRoom(); }).catch(() => {});
  measureRoom();
  return true;
}

function moveRoom() {
  const at = otherDisplay(false);
  if (!room.window || !at) return;
  room.window.moveTo(at.availLeft, at.availTop);
  room.window.resizeTo(at.availWidth, at.availHeight);
}

function measureRoom() {
  if (!room.window) return;
  const dense = room.window.devicePixelRatio || 1;
  program._tw_room(Math.round(room.window.innerWidth * dense), Math.round(room.window.innerHeight * dense));
  wake();
}

const reloads = event => event.key === 'F5' || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'r');

// Somebody, or the browser, has closed it: that ends the presentation.
function roomIsGone() {
  clearInterval(room.watch);
  room.window = room.picture = null;
  program._tw_room(0, 0);
  wake();
}

function closeRoom() {
  const was = room.window;
  clearInterval(room.watch);
  room.window = room.picture = null;
  was?.close();
}

function showRoom(pixels, width, height) {
  if (!room.picture) return;
  const {canvas} = room.picture, dense = room.window.devicePixelRatio || 1;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width, canvas.height = height;
    Object.assign(canvas.style, {width: width / dense + 'px', height: height / dense + 'px'});
  }
  room.picture.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
  told.roomShown = (told.roomShown || 0) + 1;
}
addEventListener('pagehide', closeRoom);
