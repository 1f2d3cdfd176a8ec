// ---- For screen readers: what is on screen as elements, unseen over the canvas. The program tells it (tw_told_all), a
// row each; an element stays as long as its row does, so that a reader keeps its place. Keys pressed on one go to the
// program as all keys do; pressing one, as readers do, is a press on its region; the focus is the program's.
const mirror = document.getElementById('mirror');
const kMirrorAfter = 120;  // milliseconds after the last frame: nobody listens faster
const kTags = {part: 'section', dialog: 'section', text: 'p', status: 'p', choices: 'div', choice: 'div', slider: 'div',
               dial: 'div', switch: 'button', button: 'button', toggle: 'button', field: 'button'};
const kRoles = {dialog: 'dialog', choices: 'radiogroup', choice: 'radio', slider: 'slider', dial: 'spinbutton', switch: 'switch',
                status: 'status'};
const kStops = new Set(['choice', 'slider', 'dial', 'switch', 'button', 'toggle', 'field']);
const heading = document.createElement('h1');
heading.textContent = 'Tilewalk';
let mirrored = new Map(), mirrorTimer = 0, focusTold = '';

function mirrorSoon() {
  clearTimeout(mirrorTimer);
  mirrorTimer = setTimeout(mirrorNow, kMirrorAfter);
}

const set = (element, name, value) => {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
};

function describeElement(element, row) {
  const {role, name, value = '', tip = '', on = false} = row;
  const named = role === 'part' || role === 'dialog' || role === 'choices';
  const text = named ? null : role !== 'slider' && value ? `${name}: ${value}` : name;
  if (text !== null && element.textContent !== text) element.textContent = text;
  if (named || role === 'slider' || role === 'dial' || role === 'choice') set(element, 'aria-label', name);
  if (kRoles[role]) set(element, 'role', kRoles[role]);
  if (role === 'dialog') set(element, 'aria-modal', true);
  if (kStops.has(role)) set(element, 'tabindex', -1);
  if (tip) set(element, 'title', tip);
  if (role === 'toggle') set(element, 'aria-pressed', on);
  if (role === 'choice' || role === 'switch') set(element, 'aria-checked', on);
  if (role === 'slider') {
    set(element, 'aria-valuemin', 0);
    set(element, 'aria-valuemax', row.most);
    set(element, 'aria-valuenow', row.now);
    set(element, 'aria-valuetext', value);
  }
}

// Puts the elements in their order, and moves none that is in its place.
function place(parent, children) {
  children.forEach((child, k) => {
    if (parent.childNodes[k] !== child) parent.insertBefore(child, parent.childNodes[k] || null);
  });
  while (parent.childNodes.length > children.length) parent.lastChild.remove();
}

function mirrorNow() {
  if (!program) return;
  const from = performance.now();
  const {focus, told: rows} = JSON.parse(program.ccall('tw_told_all', 'string', [], []));
  const next = new Map(), counts = new Map(), top = [heading], inside = new Map();
  let part = null, group = null;
  for (const row of rows) {
    const tag = row.role === 'heading' ? 'h' + row.level : kTags[row.role];
    const stem = `${row.role} ${row.id || (part ? part.dataset.id : '')} ${row.id ? '' : tag}`;
    counts.set(stem, (counts.get(stem) || 0) + 1);
    const key = `${stem} ${counts.get(stem)}`;
    const element = mirrored.get(key) || document.createElement(tag);
    element.dataset.id = row.id;
    describeElement(element, row);
    next.set(key, element);
    if (row.role !== 'choice') group = null;
    if (row.role === 'part' || row.role === 'dialog') part = element, top.push(element), inside.set(element, []);
    else (inside.get(group || part) || top).push(element);
    if (row.role === 'choices') group = element, inside.set(element, []);
  }
  mirrored = next;
  for (const [parent, children] of inside) place(parent, children);
  place(mirror, top);
  told.mirrored = (told.mirrored || 0) + 1;
  told.longestMirror = Math.max(told.longestMirror || 0, performance.now() - from);
  if (focus === focusTold && (focus === '' || document.activeElement.dataset?.id === focus)) return;
  focusTold = focus;
  const at = focus && [...next.values()].find(element => element.dataset.id === focus);
  if (at && field.hidden) at.focus({preventScroll: true});
  else if (!document.activeElement || document.activeElement === document.body) canvas.focus();
}

function listenToMirror() {
  const idOf = event => event.target.closest?.('[data-id]')?.dataset.id || '';
  mirror.addEventListener('click', event => {
    if (!kStopsTag(event.target)) return;
    program.ccall('tw_press', null, ['string'], [idOf(event)]);
    wake();
  });
  mirror.addEventListener('focusin', event => {
    if (idOf(event) === focusTold) return;
    focusTold = idOf(event);
    program.ccall('tw_focus', null, ['string'], [focusTold]);
    wake();
  });
}
const kStopsTag = element => element.hasAttribute('tabindex');
