// ---- A class: the wire to its server, and how this tab comes back to it. A server of a class says in the page that it is
// one (app/classroom/server.cpp); there the front page asks for the code.
const kClassPlace = '#class/', kClassKept = 'tilewalk class';

const wire = {
  socket: null, heard: [],
  open(address) {
    this.close();
    const socket = this.socket = new WebSocket(address, 'tilewalk-class');
    const hear = what => {
      if (this.socket !== socket) return;
      this.heard.push(what);
      wake();
    };
    socket.onopen = () => hear('>');
    socket.onmessage = event => hear(':' + event.data);
    socket.onclose = () => hear('<');
  },
  close() {
    const was = this.socket;
    this.socket = null;
    this.heard = [];
    if (was) was.close();
  },
  send(line) { if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(line); },
};

// A tab that is loaded anew goes on in its seat; another tab has one of its own.
function keptClass() {
  try {
    return JSON.parse(sessionStorage.getItem(kClassKept)) || {};
  } catch {
    return {};
  }
}
function keepClass(invitation, seat) {
  try {
    if (invitation) sessionStorage.setItem(kClassKept, JSON.stringify({invitation, seat}));
    else sessionStorage.removeItem(kClassKept);
  } catch {
  }
}

const pageAddress = () => location.origin + location.pathname.replace(/[^/]*$/, '');
const servedByClass = () => document.querySelector('meta[name=class]').content === 'here';

// What stands in the page's address goes before what was kept, and does not stay there: the secret of who teaches is in it.
function joinClass() {
  const kept = keptClass(), named = location.hash.startsWith(kClassPlace);
  const invitation = named ? pageAddress() + location.hash : servedByClass() ? kept.invitation : '';
  if (named) history.replaceState(null, '', known = kStart);
  if (!invitation) return;
  const seat = invitation === kept.invitation ? kept.seat : '';
  program.ccall('tw_join_class', null, ['string', 'string', 'string'], [pageAddress(), invitation, seat]);
  wake();
}

if (servedByClass()) {
  const form = document.getElementById('class');
  form.hidden = false;
  form.addEventListener('submit', event => {
    event.preventDefault();
    const code = document.getElementById('code').value.trim().replace(/\s*-\s*|\s+/g, '-');  // "C6K B75" too
    if (code) location.hash = kClassPlace + encodeURIComponent(code);
  });
}
