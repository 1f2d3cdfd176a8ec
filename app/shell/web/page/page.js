// The page around the program: starts it, hands it every event, and gives it a turn when one is due. Nothing runs while
// nothing changes. What the program asks of the page is in `page` below; app/shell/web/page.cpp calls it.
'use strict';
(() => {
  const canvas = document.getElementById('canvas');
  const said = document.getElementById('said');
  const words = document.getElementById('words');
  const kScheme = 'tilewalk://', kKept = '/kept', kDropped = '/dropped';
  const kLinkEvery = 250;  // milliseconds: browsers refuse a page that changes its address more often
  let program = null;      // the module, once it runs
  const told = window.tilewalk = {  // for tests
    turns: 0, busy: 0, longest: 0, saved: [],
    frame: () => program._tw_told(0), heap: () => program.HEAPU8.length,
  };

  const say = text => { words.textContent = text; said.hidden = false; };
  addEventListener('error', event => say('Tilewalk has stopped: ' + event.message + '. Reload the page to go on where you were.'));

  // ---- Turns.
  let refresh = 0, timer = 0;
  function turn() {
    refresh = timer = 0;
    const from = performance.now();
    const next = program._tw_turn();
    const took = performance.now() - from;
    ++told.turns, told.busy += took, told.longest = Math.max(told.longest, took);
    if (!told.first && program._tw_told(1) > 0) told.first = performance.now(), said.hidden = true;
    if (next === 0) wake();
    else if (next > 0) timer = setTimeout(turn, Math.max(1, next));
  }
  function wake() {
    if (!program || refresh) return;
    clearTimeout(timer);
    refresh = requestAnimationFrame(turn);
  }

  // ---- Links: #lesson/7/beat/2?N=64 is tilewalk://lesson/7/beat/2?N=64. Another lesson, beat or board is another entry
  // of the history; a step, or a knob, is the same one.
  const linkOfPage = () => location.hash.length > 1 ? kScheme + location.hash.slice(1) : '';
  const placeOf = hash => hash.split('?')[0].replace(/\/step\/\d+/, '');
  let wanted = null, linkTimer = 0;
  function showLink() {
    linkTimer = 0;
    if (wanted === null || wanted === location.hash) return;
    const first = location.hash === '' || placeOf(wanted) === placeOf(location.hash);
    history[first ? 'replaceState' : 'pushState'](null, '', wanted);
  }
  addEventListener('hashchange', () => {
    if (!program || linkOfPage() === '') return;
    wanted = null;
    program.ccall('tw_link', null, ['string'], [linkOfPage()]);
    wake();
  });

  // ---- What the program asks for.
  let lock = null, awake = false;
  const page = {
    copy(text) {
      told.copied = text;
      if (navigator.clipboard) navigator.clipboard.writeText(text).catch(() => {});
    },
    link(text) {
      wanted = '#' + text.slice(kScheme.length);
      if (!linkTimer) linkTimer = setTimeout(showLink, kLinkEvery);
    },
    icon(svg) { document.getElementById('icon').href = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'})); },
    pointer(shape) { canvas.className = 'shape' + shape; },
    fullScreen() {
      const now = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
      now.catch(() => {});
    },
    awake(on) {
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

  // ---- Events.
  const density = () => window.devicePixelRatio || 1;
  function measure() {
    const width = Math.round(canvas.clientWidth * density()), height = Math.round(canvas.clientHeight * density());
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    program._tw_resize(width, height, density());
    wake();
  }
  const Kind = {move: 0, leave: 1, press: 2, release: 3};
  function pointer(kind, event) {
    const edge = canvas.getBoundingClientRect();
    program._tw_pointer(kind, (event.clientX - edge.left) * density(), (event.clientY - edge.top) * density());
    wake();
  }
  const modifiers = event => (event.ctrlKey || event.metaKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) |
                             (event.repeat ? 8 : 0);
  function key(down, event) {
    if (event.isComposing) return;
    // Ctrl+V: the browser pastes, and tells what.
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'v') return;
    if (program.ccall('tw_key', 'number', ['number', 'string', 'number'], [down, event.key, modifiers(event)]) === 0) return;
    event.preventDefault();
    wake();
  }
  async function dropped(files) {
    const paths = [];
    for (const file of files) {
      const path = kDropped + '/' + file.name.replaceAll('/', '_').replaceAll('\n', '_');
      program.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
      paths.push(path);
    }
    program.ccall('tw_drop', null, ['string'], [paths.join('\n')]);
    wake();
  }
  function listen() {
    canvas.addEventListener('pointermove', event => pointer(Kind.move, event));
    canvas.addEventListener('pointerleave', event => pointer(Kind.leave, event));
    canvas.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      canvas.focus();
      canvas.setPointerCapture(event.pointerId);
      pointer(Kind.press, event);
    });
    canvas.addEventListener('pointerup', event => { if (event.button === 0) pointer(Kind.release, event); });
    canvas.addEventListener('pointercancel', event => pointer(Kind.release, event));
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('wheel', event => {
      const notch = [100, 3, 1][event.deltaMode];
      program._tw_wheel(-event.deltaY / notch);
      event.preventDefault();
      wake();
    }, {passive: false});
    addEventListener('keydown', event => key(1, event));
    addEventListener('keyup', event => key(0, event));
    addEventListener('paste', event => {
      program.ccall('tw_paste', null, ['string'], [event.clipboardData.getData('text')]);
      event.preventDefault();
      wake();
    });
    addEventListener('dragover', event => event.preventDefault());
    addEventListener('drop', event => { event.preventDefault(); dropped([...event.dataTransfer.files]); });
    new ResizeObserver(measure).observe(canvas);
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') program._tw_leave();
      else page.awake(awake), wake();
    });
    addEventListener('pagehide', () => program._tw_leave());
    canvas.addEventListener('webglcontextlost', () => location.reload());
    canvas.focus();
  }

  // ---- The start. What is kept lives in IndexedDB, and follows every file that is written.
  function start(module) {
    program = module;
    told.ready = performance.now();
    program.FS.mkdir(kKept);
    program.FS.mkdir(kDropped);
    program.FS.mount(program.IDBFS, {autoPersist: true}, kKept);
    program.FS.syncfs(true, fault => {
      if (fault) console.warn('What was kept could not be read: ' + fault);
      const why = program.ccall('tw_start', 'string', ['string'], [linkOfPage()]);
      if (why) return say(why);
      told.started = performance.now();
      measure();
      listen();
    });
  }
  const wasm = document.getElementById('program').href;
  Tilewalk({page, locateFile: () => wasm, printErr: text => console.warn(text)})
    .then(start, fault => say('Tilewalk could not start: ' + fault.message + '. It needs a browser of 2022 or newer.'));
})();
