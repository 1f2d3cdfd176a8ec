// Keeps the page for when there is no network, and for the next visit. kFiles is what one version of the page consists
// of: make_site.py writes it. What the program needs is named by content, and never changes under its name.
'use strict';
const kVersion = '@version@', kFiles = ['@files@'];
const named = file => /\.[0-9a-f]{12}\.[a-z]+$/.test(file);
const kPrefix = 'tilewalk ' + registration.scope + ' ';
const kCache = kPrefix + kVersion, kPages = kPrefix + 'pages';

async function install() {
  const cache = await caches.open(kCache);
  await Promise.all(kFiles.map(async file => {
    const old = named(file) && await caches.match(file, {ignoreVary: true});
    const answer = old || await fetch(file, named(file) ? {} : {cache: 'no-cache'});
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    await cache.put(file, answer);
  }));
  await self.skipWaiting();
}

// A page that is open goes on with the version that it began with: the one before stays.
async function activate() {
  const versions = (await caches.keys()).filter(name => name.startsWith(kPrefix) && name !== kPages && name !== kCache);
  for (const name of versions.slice(0, -1)) await caches.delete(name);
  await clients.claim();
}

// What belongs to the page comes from here; what else the host has, from there, and from here while it is away.
async function answer(request, address) {
  const own = await (named(address) ? caches : await caches.open(kCache)).match(address, {ignoreVary: true});
  if (own) return own;
  try {
    const fresh = await fetch(request);
    if (fresh.ok && fresh.type === 'basic') await (await caches.open(kPages)).put(address, fresh.clone());
    return fresh;
  } catch (fault) {
    const seen = await (await caches.open(kPages)).match(address, {ignoreVary: true});
    if (seen) return seen;
    throw fault;
  }
}

addEventListener('install', event => event.waitUntil(install()));
addEventListener('activate', event => event.waitUntil(activate()));
addEventListener('fetch', event => {
  const address = new URL(event.request.url);
  if (event.request.method !== 'GET' || !address.href.startsWith(registration.scope)) return;
  address.hash = address.search = '';
  if (address.pathname.endsWith('/index.html')) address.pathname = address.pathname.slice(0, -'index.html'.length);
  event.respondWith(answer(event.request, address.href));
});
