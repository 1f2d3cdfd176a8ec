// Opens a browser on the page, Debian's Chromium or Firefox, and drives it. What its console says goes to `complaints`.
import puppeteer from 'puppeteer-core';

const kLaunch = {
  chromium: {browser: 'chrome', executablePath: '/usr/bin/chromium', headless: process.env.HEADED !== '1',
             args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
                    // On a busy machine a page that it takes for a hidden one gets one turn a second.
                    '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows']},
  // Its headless mode has no WebGL 2 without a GPU: it needs a display.
  firefox: {browser: 'firefox', executablePath: '/usr/bin/firefox-esr', headless: false,
            extraPrefsFirefox: {'webgl.force-enabled': true, 'browser.cache.disk.enable': false}},
};

export const sleep = ms => new Promise(done => setTimeout(done, ms));

// What the page hands out goes to the folder `downloads`, unasked.
export async function launch(name, downloads) {
  const options = {...kLaunch[name], protocolTimeout: 240000};
  if (options.extraPrefsFirefox)
    options.extraPrefsFirefox = {...options.extraPrefsFirefox, 'browser.download.folderList': 2, 'browser.download.dir': downloads,
                                 'browser.download.alwaysOpenPanel': false, 'browser.download.useDownloadDir': true};
  const browser = await puppeteer.launch(options);
  if (name === 'chromium' && downloads) {
    const whole = await browser.target().createCDPSession();
    await whole.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: downloads});
  }
  return browser;
}

export class Visit {
  static async open(browser, address, {width = 1280, height = 720, density = 1, before} = {}) {
    const visit = new Visit();
    visit.page = await browser.newPage();
    visit.complaints = [];
    visit.page.on('console', message => visit.complaints.push(`${message.type()}: ${message.text()}`));
    visit.page.on('pageerror', error => visit.complaints.push(`error: ${error}`));
    visit.page.on('requestfailed', request => visit.complaints.push(`failed: ${request.url()}`));
    await visit.page.setViewport({width, height, deviceScaleFactor: density}).catch(() => visit.page.setViewport({width, height}));
    if (before) await visit.page.evaluateOnNewDocument(before);
    await visit.page.goto(address);
    await visit.until('window.tilewalk && tilewalk.first');
    await visit.quiet();
    return visit;
  }

  // Until the expression is true in the page; a sentence where it does not become so.
  async until(expression, seconds = 120) {
    const end = Date.now() + seconds * 1000;
    while (!(await this.page.evaluate(`!!(${expression})`))) {
      if (Date.now() > end || this.complaints.some(said => said.startsWith('error:'))) throw new Error(`not within ${seconds} s: ${expression}; the page says: ${
        await this.page.evaluate("document.getElementById('said').innerText")}; ${this.complaints.join('; ')}`);
      await sleep(50);
    }
  }

  // Until no turn was taken for that long: everything that moves has come to rest, and the address is told.
  async quiet(ms = 500, seconds = 60) {
    const end = Date.now() + seconds * 1000;
    for (let before = -1, now = 0; before !== now && Date.now() < end; now = await this.told('turns')) {
      before = await this.told('turns');
      await sleep(ms);
    }
  }

  told(what) { return this.page.evaluate(`tilewalk.${what}`); }
  hash() { return this.page.evaluate('location.hash'); }
  async go(hash) {
    await this.page.evaluate(there => { location.hash = there; }, hash);
    await this.quiet();
  }
  async press(key, ...held) {
    for (const one of held) await this.page.keyboard.down(one);
    await this.page.keyboard.press(key);
    for (const one of held.reverse()) await this.page.keyboard.up(one);
    await this.quiet(300);
  }
  picture(path) { return this.page.screenshot({path}); }
  close() { return this.page.close(); }
}
