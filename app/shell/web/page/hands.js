// ---- What hands do: pointer, fingers, keys, an input method, the clipboard, files. `program` is told each.
const canvas = document.getElementById('canvas'), field = document.getElementById('field');
const density = () => window.devicePixelRatio || 1;
const Kind = {move: 0, leave: 1, press: 2, release: 3};

function tellPointer(kind, event) {
  const edge = canvas.getBoundingClientRect();
  program._tw_pointer(kind, (event.clientX - edge.left) * density(), (event.clientY - edge.top) * density());
  wake();
}

function turnWheel(notches) {
  program._tw_wheel(notches);
  wake();
}

// Fingers: a tap presses; a long press points, and so shows the tip; what can be dragged is dragged, and all else
// scrolls; two fingers scroll and pinch.
const kSlop = 10, kLongPress = 500, kNotch = 40, kPinch = 1.2;  // CSS pixels, milliseconds, pixels, ratio
const fingers = {all: new Map(), does: '', timer: 0, wheel: 0, apart: 0};

const middleOf = all => [...all.values()].reduce((sum, finger) => sum + finger.clientY / all.size, 0);
function apartOf(all) {
  const [a, b] = all.values();
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}

function scrollBy(pixels) {
  fingers.wheel += pixels / kNotch;
  const notches = Math.trunc(fingers.wheel * 4) / 4;
  if (notches) turnWheel(notches), fingers.wheel -= notches;
}

function fingerDown(event) {
  fingers.all.set(event.pointerId, event);
  clearTimeout(fingers.timer);
  if (fingers.all.size === 1) {
    fingers.does = 'wait', fingers.from = event, fingers.wheel = 0;
    tellPointer(Kind.move, event);
    fingers.timer = setTimeout(() => { fingers.does = 'point'; }, kLongPress);
  } else if (fingers.all.size === 2) {
    if (fingers.does === 'drag') tellPointer(Kind.release, event);
    fingers.does = 'two', fingers.apart = apartOf(fingers.all);
  }
}

function fingerMoved(event) {
  const before = middleOf(fingers.all);
  if (!fingers.all.has(event.pointerId)) return;
  fingers.all.set(event.pointerId, event);
  const {from} = fingers, far = Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > kSlop;
  if (fingers.does === 'wait' && far) {
    clearTimeout(fingers.timer);
    fingers.does = program._tw_told(3) ? 'drag' : 'scroll';  // 3: whether what is under the pointer can be dragged
    if (fingers.does === 'drag') tellPointer(Kind.press, from);
  }
  if (fingers.does === 'drag' || fingers.does === 'point') tellPointer(Kind.move, event);
  if (fingers.does === 'scroll' || fingers.does === 'two') scrollBy(middleOf(fingers.all) - before);
  if (fingers.does !== 'two') return;
  const apart = apartOf(fingers.all);
  if (apart > fingers.apart * kPinch || apart < fingers.apart / kPinch) {
    program._tw_pinch(apart > fingers.apart ? 1 : -1);
    fingers.apart = apart;
    wake();
  }
}

function fingerUp(event, cancelled = false) {
  if (!fingers.all.delete(event.pointerId)) return;
  clearTimeout(fingers.timer);
  if (fingers.does === 'wait' && !cancelled) {
    tellPointer(Kind.press, event);
    tellPointer(Kind.release, event);
  }
  if (fingers.does === 'drag') tellPointer(Kind.release, event);
  if (fingers.does !== 'point') tellPointer(Kind.leave, event);  // a tip stays until the next touch
  fingers.does = '';
}

// Keys. What a browser keeps for itself never comes here.
const modifiers = event => (event.ctrlKey || event.metaKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) |
                           (event.repeat ? 8 : 0);
// With Ctrl and Shift a digit's key says what is printed above it, another sign on each keyboard.
const keyName = event =>
  (event.ctrlKey || event.metaKey) && event.shiftKey && /^Digit[0-9]$/.test(event.code) ? event.code[5] : event.key;
function key(down, event) {
  if (event.isComposing || event.keyCode === 229) return;  // an input method's
  if (reads(event.target)) return;
  // Ctrl+V: the browser pastes, and tells what.
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'v') return;
  if (program.ccall('tw_key', 'number', ['number', 'string', 'number'], [down, keyName(event), modifiers(event)]) === 0) return;
  event.preventDefault();
  wake();
}

// Where something is typed on the canvas, a field of the page lies over it and has the focus: for input methods, and for
// the keyboard that a tablet shows. What it is given goes to the program; what is being composed shows in it.
function typeHere(on, x, y, width, height, name) {
  field.hidden = !on;
  field.ariaLabel = name;
  if (!on) return canvas.focus();
  Object.assign(field.style, {left: x / density() + 'px', top: y / density() + 'px', width: width / density() + 'px',
                              height: height / density() + 'px', fontSize: height / density() * 0.45 + 'px'});
  if (document.activeElement !== field) field.value = '', field.focus();
}

function give(text) {
  for (const character of text) {
    program.ccall('tw_key', 'number', ['number', 'string', 'number'], [1, character === '\n' ? 'Enter' : character, 0]);
    program.ccall('tw_key', 'number', ['number', 'string', 'number'], [0, character === '\n' ? 'Enter' : character, 0]);
  }
  field.value = '';
  wake();
}

function listenToField() {
  field.addEventListener('beforeinput', event => {
    if (event.isComposing) return;
    const named = {deleteContentBackward: 'Backspace', deleteContentForward: 'Delete', insertLineBreak: 'Enter',
                   insertParagraph: 'Enter'}[event.inputType];
    for (const down of named ? [1, 0] : [])
      program.ccall('tw_key', 'number', ['number', 'string', 'number'], [down, named, 0]);
    if (!named && event.data) give(event.data);
    if (event.inputType !== 'insertFromPaste') event.preventDefault();
    wake();
  });
  field.addEventListener('compositionstart', () => field.classList.add('composing'));
  field.addEventListener('compositionend', event => {
    field.classList.remove('composing');
    give(event.data);
  });
}

// The clipboard.
function copy(text) {
  told.copied = text;
  if (navigator.clipboard) return void navigator.clipboard.writeText(text).catch(() => copyOfOld(text));
  copyOfOld(text);
}
function copyOfOld(text) {  // also where the page does not come from https
  const area = document.createElement('textarea'), before = document.activeElement;
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
  before?.focus();
}

// Files: dropped, or picked.
async function takeFiles(files) {
  const paths = [];
  for (const file of files) {
    const path = kDropped + '/' + file.name.replaceAll('/', '_').replaceAll('\n', '_');
    program.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    paths.push(path);
  }
  if (!paths.length) return;
  program.ccall('tw_drop', null, ['string'], [paths.join('\n')]);
  wake();
}
const picker = document.getElementById('files');
picker.addEventListener('change', () => {
  takeFiles([...picker.files]).then(() => { picker.value = ''; });
  canvas.focus();
});

const reads = target => target.closest?.('#front') != null;  // keys there are the browser's

function listen() {
  canvas.addEventListener('pointermove', event => {
    event.pointerType === 'touch' ? fingerMoved(event) : tellPointer(Kind.move, event);
  });
  canvas.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') tellPointer(Kind.leave, event); });
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') return fingerDown(event);
    if (field.hidden) canvas.focus();
    tellPointer(Kind.press, event);
  });
  canvas.addEventListener('pointerup', event => {
    if (event.pointerType === 'touch') fingerUp(event);
    else if (event.button === 0) tellPointer(Kind.release, event);
  });
  canvas.addEventListener('pointercancel', event => {
    event.pointerType === 'touch' ? fingerUp(event, true) : tellPointer(Kind.release, event);
  });
  canvas.addEventListener('mousedown', event => { if (!field.hidden) event.preventDefault(); });  // the field keeps the focus
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => {
    turnWheel(-event.deltaY / [100, 3, 1][event.deltaMode]);
    event.preventDefault();
  }, {passive: false});
  addEventListener('keydown', event => key(1, event));
  addEventListener('keyup', event => key(0, event));
  addEventListener('paste', event => {
    program.ccall('tw_paste', null, ['string'], [event.clipboardData.getData('text')]);
    event.preventDefault();
    wake();
  });
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => { event.preventDefault(); takeFiles([...event.dataTransfer.files]); });
  listenToField();
}
