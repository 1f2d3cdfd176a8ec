// A host for a folder, as ./run --web has one. Stopping it is the network going away.
import {spawn} from 'node:child_process';

const kServe = process.env.TILEWALK_SERVE;  // scripts/serve-web.py

export async function serve(folder, port = '') {
  const child = spawn(kServe, [folder, ...(port ? [String(port)] : [])], {stdio: ['ignore', 'pipe', 'inherit']});
  const address = await new Promise((done, failed) => {
    child.stdout.on('data', data => {
      const found = /http:[^ ]*/.exec(String(data));
      if (found) done(found[0]);
    });
    child.on('exit', () => failed(new Error(`${folder} could not be served`)));
  });
  process.on('exit', () => child.kill());  // a test that failed has not stopped it
  const gone = new Promise(done => child.on('exit', done));
  return {address, port: Number(new URL(address).port), stop: () => { child.kill(); return gone; }};
}
