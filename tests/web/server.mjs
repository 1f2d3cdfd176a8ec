// A host for a folder, as ./run --web has one. Stopping it is the network going away.
import {spawn} from 'node:child_process';

const kServe = process.env.TILEWALK_SERVE;  // scripts/serve-web.py

export async function serve(folder, port = '') {
  const process = spawn(kServe, [folder, ...(port ? [String(port)] : [])], {stdio: ['ignore', 'pipe', 'inherit']});
  const address = await new Promise((done, failed) => {
    process.stdout.on('data', data => {
      const found = /http:[^ ]*/.exec(String(data));
      if (found) done(found[0]);
    });
    process.on('exit', () => failed(new Error(`${folder} could not be served`)));
  });
  const gone = new Promise(done => process.on('exit', done));
  return {address, port: Number(new URL(address).port), stop: () => { process.kill(); return gone; }};
}
