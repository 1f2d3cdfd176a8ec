// ---- What is kept: every file under /kept, in IndexedDB. Each tab has all of them in a file system of its own; what one
// writes goes to the database at once, and from there to the other tabs, whose program merges it as it merges what
// another window has written. Each file counts its versions, so that all tabs end with the one that was written last.
const kKept = '/kept';

function wholeOf(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

class Keeper {
  constructor(fs, arrived) {
    this.fs = fs;
    this.arrived = arrived;  // called with what another tab has written
    this.known = new Map();  // path -> {version, time}: what the database has, and this tab's file when it was the same
    this.name = 'tilewalk ' + new URL('.', location.href).pathname;
    fs.mkdirTree(kKept);
  }

  // Reads all that is there; throws where the browser keeps nothing.
  async open() {
    const request = indexedDB.open(this.name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('files');
    this.database = await wholeOf(request);
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = () => this.read();
    await this.read();
  }

  files(folder = kKept) {
    const out = [];
    for (const name of this.fs.readdir(folder)) {
      if (name === '.' || name === '..') continue;
      const path = folder + '/' + name, {mode, mtime} = this.fs.stat(path);
      if (this.fs.isDir(mode)) out.push(...this.files(path));
      else out.push({path, time: +mtime});
    }
    return out;
  }

  // Takes every file that is newer in the database than here.
  async read() {
    const store = this.database.transaction('files').objectStore('files');
    const [paths, files] = await Promise.all([wholeOf(store.getAllKeys()), wholeOf(store.getAll())]);
    this.look();  // what this tab has written meanwhile goes before
    const news = [];
    paths.forEach((path, k) => {
      const {version, bytes} = files[k], known = this.known.get(path);
      if (known && known.version >= version) return;
      let time = Date.now();
      if (bytes) {
        this.fs.mkdirTree(path.slice(0, path.lastIndexOf('/')));
        if (this.fs.analyzePath(path).exists) time = Math.max(time, +this.fs.stat(path).mtime + 1);
        this.fs.writeFile(path, bytes);
        this.fs.utime(path, time, time);
      } else if (this.fs.analyzePath(path).exists) {
        this.fs.unlink(path);
      }
      this.known.set(path, {version, time: bytes ? time : null});
      news.push(path);
    });
    if (news.length) this.arrived(news);
  }

  // After whatever may have written: what has changed goes to the database.
  look() {
    if (!this.database) return;
    const now = new Map(this.files().filter(({path}) => !path.endsWith('.tmp')).map(({path, time}) => [path, time]));
    const changes = [];
    for (const [path, time] of now)
      if (this.known.get(path)?.time !== time) changes.push([path, time]);
    for (const [path, {time}] of this.known)
      if (time !== null && !now.has(path)) changes.push([path, null]);
    if (changes.length) this.write(changes);
  }

  write(changes) {
    const written = [];
    const transaction = this.database.transaction('files', 'readwrite'), store = transaction.objectStore('files');
    for (const [path, time] of changes) {
      const bytes = time === null ? null : this.fs.readFile(path), entry = {version: this.known.get(path)?.version || 0, time};
      this.known.set(path, entry);
      written.push(entry);
      store.get(path).onsuccess = event => {
        entry.version = Math.max(entry.version, event.target.result?.version || 0) + 1;
        store.put({version: entry.version, bytes}, path);
      };
    }
    transaction.oncomplete = () => {
      this.channel.postMessage('');
      if (changes.some(([path]) => !written.includes(this.known.get(path)))) this.read();  // crossed on the way
    };
    transaction.onerror = () => console.warn('What you did could not be kept: ' + transaction.error);
  }
}
