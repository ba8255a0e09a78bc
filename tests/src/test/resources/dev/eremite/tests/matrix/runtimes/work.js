// Worker threads, timers, promises, files and a child process.
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { execFileSync } = require('child_process');
const fs = require('fs');

if (!isMainThread) {
  let sum = 0;
  for (let i = workerData.from; i < workerData.to; i++) sum += i;
  parentPort.postMessage(sum);
} else {
  const run = (from, to) => new Promise((resolve, reject) => {
    const worker = new Worker(__filename, { workerData: { from, to } });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
  (async () => {
    const parts = await Promise.all([run(0, 500000), run(500000, 1000000)]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    fs.writeFileSync('out', JSON.stringify({ at: Date.now(), random: Math.random() }));
    console.log(Object.keys(JSON.parse(fs.readFileSync('out', 'utf8'))).join());
    console.log(execFileSync('echo', ['child']).toString().trim());
    console.log(`sum ${parts[0] + parts[1]} from ${parts.length} workers`);
  })();
}
