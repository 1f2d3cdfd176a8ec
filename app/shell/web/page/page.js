// The page around the program: starts it, hands it every event, and gives it a turn when one is due. Nothing runs while
// nothing changes. What the program asks of the page is in `page` below; app/shell/web/page.cpp calls it. The other
// pieces of this folder stand before this one, in one file (make_site.py).
const said = document.getElementById('said'), words = document.getElementById('words');
const kScheme = 'tilewalk://', kDropped = '/dropped', kStart = '#start';
const kLinkEvery = 250;  // milliseconds: browsers refuse a page that changes its address more often
let program = null;      // the module, once it runs
let keeper = null;
const told = window.tilewalk = {  // for tests
  turns: 0, busy: 0, longest: 0, saved: [], brought: [],
  frame: () => program._tw_told(0), heap: () => program.HEAPU8.length, used: () => program._tw_told(4),
  place: id => {
    const at = program.ccall('tw_place', 'number', ['string'], [id]);
    return [at % 65536 / density(), Math.floor(at / 65536) / density()];
  },
  kept: () => Object.fromEntries(keeper.files().map(({path}) => [path, program.FS.readFile(path, {encoding: 'utf8'})])),
};

const say = text => { words.textContent = text; said.hidden = false; };
const notice = text => { told.noticed = text; program.ccall('tw_notice', null, ['string'], [text]); wake(); };
addEventListener('error', event => say('Tilewalk has stopped: ' + event.message + '. Reload the page to go on where you were.'));

// ---- Turns.
let refresh = 0, timer = 0, drawn = 0;  // drawn: frames so far
function turn() {
  refresh = timer = 0;
  const from = performance.now();
  const next = program._tw_turn();
  const took = performance.now() - from;
  ++told.turns, told.busy += took, told.longest = Math.max(told.longest, took);
  if (!told.first && program._tw_told(1) > 0) firstPicture();
  keeper.look();
  if (program._tw_told(1) !== drawn) drawn = program._tw_told(1), mirrorSoon();
  if (next === 0) wake();
  else if (next > 0) timer = setTimeout(turn, Math.max(1, next));
}
function wake() {
  if (!program || refresh) return;
  clearTimeout(timer);
  refresh = requestAnimationFrame(turn);
}
function firstPicture() {
  told.first = performance.now();
  said.hidden = true;
  fetchLarge().catch(() => {});  // it is asked for again
  keepOffline(() => notice('A new version of Tilewalk is here: reload the page to use it.'));
}

// ---- Links: #lesson/7/beat/2?N=64 is tilewalk://lesson/7/beat/2?N=64. Another lesson, beat or board is another entry
// of the history; a step, or a knob, is the same one. Without any the page is the front page; #start goes where one was.
const linkOfPage = () => location.hash.length > 1 && location.hash !== kStart && !location.hash.startsWith(kClassPlace)
    ? kScheme + location.hash.slice(1) : '';
const placeOf = hash => hash.split('?')[0].replace(/\/step\/\d+/, '');
let wanted = null, linkTimer = 0, known = location.hash;  // known: what the program or a person has made of the address
function showLink() {
  linkTimer = 0;
  if (wanted === null || wanted === location.hash || location.hash !== known) return;  // somebody has just gone elsewhere
  const first = location.hash === '' || location.hash === kStart || placeOf(wanted) === placeOf(location.hash);
  history[first ? 'replaceState' : 'pushState'](null, '', wanted);
  known = location.hash;
}
addEventListener('hashchange', () => {
  if (location.hash.length < 2) return location.reload();  // back to the front page
  known = location.hash;
  if (!begun) return enter();
  if (program && location.hash.startsWith(kClassPlace)) return joinClass();
  if (!program || linkOfPage() === '') return;
  wanted = null;
  program.ccall('tw_link', null, ['string'], [linkOfPage()]);
  wake();
});

// ---- The large data files: fetched once the first picture is there, or when one is asked for before.
const kLarge = [...document.querySelectorAll('meta[name=file][data-path^="assets/"]')].map(meta => meta.dataset.path);
const large = new Map();  // path -> bytes
const addressOf = path => document.querySelector(`meta[name=file][data-path="${path}"]`).content;
async function fetchLarge() {
  await Promise.all(kLarge.filter(path => !told.brought.includes(path)).map(async path => {
    const answer = await fetch(addressOf(path));
    if (!answer.ok) throw new Error(path);
    large.set(path, new Uint8Array(await answer.arrayBuffer()));
  }));
  program._tw_large();
  wake();
}
function bring(path) {
  told.brought.push(path);
  if (large.has(path)) return large.get(path);
  const request = new XMLHttpRequest();  // somebody waits for it
  request.open('GET', addressOf(path), false);
  try {
    request.send();
    if (request.status === 200) return new TextEncoder().encode(request.responseText);
  } catch {
  }
  setTimeout(() => notice('The recorded runs could not be fetched. Reload the page once the network is there.'));
  return new Uint8Array();
}

// ---- What the program asks for.
let lock = null, awake = false;
const page = {
  bring, copy, keepClass, typeHere, wire, openRoom, closeRoom, showRoom,
  link(text) {
    wanted = '#' + text.slice(kScheme.length);
    if (!linkTimer) linkTimer = setTimeout(showLink, kLinkEvery);
  },
  icon(svg) { document.getElementById('icon').href = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'})); },
  pointer(shape) { canvas.className = 'shape' + shape; },
  pickFiles() { picker.click(); },
  fullScreen() {
    const now = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    now.catch(() => {});
  },
  awake(on) {
    if (!on) room.refused = false;  // the next presentation tries anew
    awake = on;
    if (!on && lock) lock.release(), lock = null;
    if (on && navigator.wakeLock) navigator.wakeLock.request('screen').then(l => { lock = l; }).catch(() => {});
  },
  handOut(name, bytes) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    told.saved.push({name, bytes: bytes.length});
  },
};

// ---- The start.
function measure() {
  const width = Math.round(canvas.clientWidth * density()), height = Math.round(canvas.clientHeight * density());
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  program._tw_resize(width, height, density());
  wake();
}

async function start(module) {
  told.ready = performance.now();
  module.FS.mkdir(kDropped);
  keeper = new Keeper(module.FS, paths => {
    if (!program) return;
    program._tw_others_wrote();
    wake();
  });
  let kept = '';
  await keeper.open().catch(fault => { kept = 'What you do here is not kept: this browser does not allow it.'; });
  const mac = /^Mac|^iP/.test(navigator.platform);
  const why = module.ccall('tw_start', 'string', ['string', 'number'], [linkOfPage(), mac ? 1 : 0]);
  if (why) return say(why);
  program = module;
  told.started = performance.now();
  measure();
  listen();
  listenToMirror();
  canvas.focus();
  joinClass();
  if (kept) notice(kept);
  new ResizeObserver(measure).observe(canvas);
  const leave = () => { program._tw_leave(); keeper.look(); };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave();
    else page.awake(awake), wake();
  });
  addEventListener('pagehide', leave);
  canvas.addEventListener('webglcontextlost', () => location.reload());
  cancelAnimationFrame(refresh);
  turn();  // the first one waits for no refresh
}

// The program comes as soon as a link asks for it.
let begun = false;
function begin() {
  if (begun) return;
  begun = true;
  document.documentElement.className = 'runs';
  say('Walk through FlashAttention, tile by tile. It is being loaded.');
  const wasm = addressOf('program');
  const compiled = WebAssembly.compileStreaming(fetch(wasm));  // while it comes, and before its loader is there
  const script = Object.assign(document.createElement('script'), {src: addressOf('loader')});
  const failed = why => say(`Tilewalk could not start: ${why}. It needs a browser of 2022 or newer.`);
  const instantiateWasm = (imports, done) => {
    compiled.then(module => WebAssembly.instantiate(module, imports).then(instance => done(instance, module)))
      .catch(fault => failed(fault.message));
    return {};
  };
  script.onload = () => {
    Tilewalk({page, instantiateWasm, printErr: text => console.warn(text)}).then(start).catch(fault => failed(fault.message));
    // The program finds it there (web_screen.cpp). Without a GPU it takes as long as compiling, which goes on beside it.
    canvas.getContext('webgl2', {alpha: false, depth: false, stencil: false, antialias: false});
  };
  script.onerror = () => failed('a part of it could not be fetched');
  document.head.append(script);
}
// A phone is told what it is too small for, and offered the lesson as a page.
const phone = document.getElementById('small');
phone.hidden = Math.min(screen.width, screen.height) >= 600;
function enter() {
  if (phone.hidden) return begin();
  const lesson = /^#lesson\/(\d+)/.exec(location.hash);
  document.getElementById('read').hidden = !lesson;
  if (lesson) document.getElementById('read').href = `lessons/${lesson[1]}.html`;
  phone.scrollIntoView();
}
document.getElementById('anyway').addEventListener('click', event => {
  event.preventDefault();
  phone.hidden = true;
  location.hash.length > 1 ? begin() : location.hash = kStart;
});
if (location.hash.length > 1) enter();
