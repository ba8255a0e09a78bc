// What a user does in an editor, in both directions, with programs in three languages.
import assert from 'node:assert/strict';
import { Client, source } from './client.mjs';

/** Scenarios by name. Each gets the configuration and returns nothing, or throws. */
export const scenarios = {
  async 'C: steps and breakpoints in both directions'({ c, config }) {
    const client = new Client(config);
    const shop = source(c.source);
    const entry = await client.open({ recording: c.recording, stopAt: 'main' }, async () => {
      const set = await client.breakAt(shop, shop.mark('add'));
      assert.equal(set[0].verified, true);
      assert.equal(set[0].line, shop.mark('add'));
    });
    assert.equal(entry.reason, 'entry');
    assert.equal((await client.threadsRequest()).body.threads.length, 1);
    const hit = await client.move('continue');
    assert.equal(hit.reason, 'breakpoint');
    assert.equal(hit.hitBreakpointIds.length, 1);
    assert.equal(await client.line(), shop.mark('add'));
    await client.move('stepIn');
    assert.equal((await client.stack())[0].name, 'add');
    await client.move('next');
    await client.move('next');
    assert.equal((await client.variables()).sum.value, '2');
    await client.move('stepBack');
    await client.move('stepBack');
    assert.equal(await client.line(), shop.mark('sum'));
    assert.equal((await client.stack())[0].name, 'add');
    await client.move('stepOut');
    assert.equal((await client.stack())[0].name, 'main');
    const returned = await client.children(await client.scope('Return Value'));
    assert.equal(returned[0].value, '2');
    await client.move('eremite/reverseStepIn');
    assert.equal((await client.stack())[0].name, 'add');
    await client.move('eremite/reverseStepOut');
    assert.equal((await client.stack())[0].name, 'main');
    assert.equal(await client.line(), shop.mark('add'));
    for (let i = 1; i < 5; i++) {
      await client.move('continue');
      assert.equal(await client.value('i'), String(i));
    }
    await client.move('reverseContinue');
    assert.equal(await client.value('i'), '3');
    await client.move('stepIn', { granularity: 'instruction' });
    await client.move('stepBack', { granularity: 'instruction' });
    await client.breakAt(shop);
    const start = await client.move('reverseContinue');
    assert.match(start.description, /beginning of the recording/);
    const end = await client.move('continue');
    assert.match(end.description, /end of the recording/);
    assert.match(end.text, /exits with status 3/);
    const restarted = client.waitForEvent('stopped');
    const gone = client.waitForEvent('continued');
    await client.restartRequest({});
    await gone;
    assert.equal((await restarted).body.reason, 'entry');
    await client.leave();
  },

  async 'C: conditions, hits, log points, functions and instructions'({ c, config }) {
    const client = new Client(config);
    const shop = source(c.source);
    const printed = [];
    client.on('output', (event) => printed.push(event.body.output));
    await client.open({ recording: c.recording, stopAt: 'main' }, async () => {
      await client.breakAt(shop, { line: shop.mark('add'), condition: 'i == 3' });
    });
    await client.move('continue');
    assert.equal(await client.value('i'), '3');
    await client.breakAt(shop, { line: shop.mark('print'), hitCondition: '2' });
    await client.move('continue');
    assert.equal(await client.value('i'), '4');
    await client.breakAt(shop, { line: shop.mark('print'), logMessage: 'i is {i}, pen is {pen.name}' });
    await client.customRequest('setFunctionBreakpoints', { breakpoints: [{ name: 'add' }] });
    const stop = await client.move('reverseContinue');
    assert.equal(stop.reason, 'function breakpoint');
    await client.customRequest('setFunctionBreakpoints', { breakpoints: [] });
    await client.move('reverseContinue');
    assert.equal(printed.filter((text) => text.startsWith('i is ')).length, 4);
    assert.ok(printed.includes('i is 0, pen is "pen\\000\\000\\000\\000"\n'), printed.join(''));
    await client.breakAt(shop);
    await client.breakAt(shop, { line: shop.mark('add'), condition: 'nothing_such' }).then(([refused]) => {
      assert.equal(refused.verified, false);
      assert.match(refused.message, /No symbol/);
      assert.equal(refused.line, shop.mark('add'));
      assert.equal(refused.source.path, shop.path);
    });
    const [both] = await client.breakAt(shop, { line: shop.mark('print'), hitCondition: '2', logMessage: 'i is {i}' });
    assert.equal(both.verified, false);
    assert.match(both.message, /log message cannot have a hit condition/);
    await client.breakAt(shop, shop.mark('last'));
    await client.move('continue');
    const pc = (await client.stack())[0].instructionPointerReference;
    await client.breakAt(shop);
    const { body } = await client.customRequest('setInstructionBreakpoints', {
      breakpoints: [{ instructionReference: pc }, { instructionReference: '0x10' }],
    });
    assert.equal(body.breakpoints[0].verified, true);
    assert.equal(body.breakpoints[1].verified, false);
    assert.match(body.breakpoints[1].message, /no memory is mapped/);
    await client.customRequest('setInstructionBreakpoints', { breakpoints: [{ instructionReference: pc }] });
    await client.move('eremite/reverseStepIn', {});
    assert.equal((await client.move('continue')).reason, 'instruction breakpoint');
    const locations = await client.customRequest('breakpointLocations', {
      source: { path: shop.path },
      line: shop.mark('start'),
      endLine: shop.mark('add'),
    });
    assert.deepEqual(locations.body.breakpoints.map((each) => each.line).includes(shop.mark('add')), true);
    await client.leave();
  },

  async 'C: who wrote a value, values, memory and code'({ c, config }) {
    const client = new Client(config);
    const shop = source(c.source);
    await client.open({ recording: c.recording }, () => client.breakAt(shop, shop.mark('last')));
    await client.move('continue');
    const locals = await client.scope('Locals');
    const list = await client.children(locals);
    const pen = list.find((each) => each.name === 'pen');
    assert.match(pen.value, /price = 10/);
    const fields = await client.children(pen.variablesReference);
    const next = fields.find((each) => each.name === 'next');
    assert.ok(next.memoryReference);
    const book = await client.children(next.variablesReference);
    assert.equal(book.find((each) => each.name === 'price').value, '12');
    const info = await client.dataBreakpointInfoRequest({ variablesReference: pen.variablesReference, name: 'price' });
    const set = await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.body.dataId }] });
    assert.equal(set.body.breakpoints[0].verified, true);
    const stop = await client.move('reverseContinue');
    assert.equal(stop.reason, 'data breakpoint');
    assert.match(stop.text, /10 → 2/);
    assert.equal(await client.line(), shop.mark('price'));
    const [bad] = (
      await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.body.dataId, condition: 'nothing_such' }] })
    ).body.breakpoints;
    assert.equal(bad.verified, false);
    assert.match(bad.message, /No symbol/);
    assert.doesNotMatch(await client.value('info breakpoints', 'repl'), /watchpoint/);
    await client.setDataBreakpointsRequest({ breakpoints: [] });

    const globals = await client.variables('Globals');
    assert.equal(globals.squares.indexedVariables, 100000);
    const page = await client.children(globals.squares.variablesReference, { start: 99990, count: 10, filter: 'indexed' });
    assert.equal(page.length, 10);
    assert.equal(page[9].name, '[99999]');
    assert.equal(page[9].value, String(99999 * 3));
    const registers = await client.variables('Registers');
    assert.match(registers.rip.value, /0x/);

    const place = await client.scope('Locals');
    await client.children(place);
    const changed = await client.setVariableRequest({ variablesReference: place, name: 'total', value: '77' });
    assert.equal(changed.body.value, '77');
    assert.equal(await client.value('total'), '77');
    const expressed = await client.customRequest('setExpression', {
      expression: 'pen.price',
      value: '5',
      frameId: await client.frame(),
    });
    assert.equal(expressed.body.value, '5');
    await client.move('stepBack');
    assert.equal(await client.value('total'), '10');
    assert.match(await client.refusal(client.value('counter = 5', 'hover')), /would change/);
    assert.match(await client.refusal(client.value('add(1, 2)', 'hover')), /call functions/);
    assert.equal(await client.value('add(1, 2)'), '3');

    const reference = await client.value('&counter');
    const address = /0x[0-9a-f]+/.exec(reference)[0];
    const read = await client.customRequest('readMemory', { memoryReference: address, count: 4 });
    assert.equal(Buffer.from(read.body.data, 'base64').readInt32LE(), 6, 'the call above counted, in the copy');
    const unreadable = await client.customRequest('readMemory', { memoryReference: '0x10', count: 4 });
    assert.equal(unreadable.body.unreadableBytes, 4);
    const data = Buffer.from([9, 0, 0, 0]).toString('base64');
    const wrote = await client.customRequest('writeMemory', { memoryReference: address, data });
    assert.equal(wrote.body.bytesWritten, 4);
    assert.equal(await client.value('counter'), '9');
    const pc = (await client.stack())[0].instructionPointerReference;
    const code = await client.disassembleRequest({ memoryReference: pc, instructionOffset: -4, instructionCount: 10 });
    assert.equal(code.body.instructions.length, 10);
    assert.equal(code.body.instructions[4].address, pc);
    await client.leave();
  },

  async 'C: positions, events, output, checkpoints and places'({ c, config }) {
    const client = new Client(config);
    const shop = source(c.source);
    const printed = [];
    client.on('output', (event) => event.body.category === 'stdout' && printed.push(event.body));
    await client.open({ recording: c.recording, stopAt: 'end' });
    assert.equal(printed.filter((each) => each.output.startsWith('round')).length, 5);
    const { body: end } = await client.customRequest('eremite/position', {});
    assert.ok(end.event >= end.events - 1, JSON.stringify(end));
    assert.equal(end.complete, true);
    const { body: events } = await client.customRequest('eremite/events', { start: 0, count: 5000 });
    assert.equal(events.total, end.events);
    const writes = events.events.filter((each) => each.stream === 1);
    assert.equal(writes.length, 6);
    assert.equal(writes[0].kind, 'syscall');
    assert.equal(printed[0].data.event, writes[0].event);
    const { body: all } = await client.customRequest('eremite/output', {});
    const parts = all.output.filter((each) => each.stream === 1);
    assert.equal(parts.map((each) => each.text).join(''), printed.map((each) => each.output).join(''));
    assert.deepEqual(parts.map((each) => each.event), writes.map((each) => each.event));
    await client.move('eremite/seekToOutput', { event: printed[2].data.event });
    await client.move('stepOut');
    assert.match(await client.refusal(client.customRequest('eremite/seekToOutput', { pattern: 'nowhere' })), /no such text/);
    const there = await client.move('eremite/seekToOutput', { pattern: 'round 1' });
    assert.equal(there.reason, 'goto');
    const frames = await client.stack();
    const main = frames.find((each) => each.name === 'main');
    assert.equal(main.line, shop.mark('print') + 1);
    const added = await client.customRequest('eremite/checkpoints', { add: 'here' });
    assert.equal(added.body.checkpoints[0].name, 'here');
    await client.move('eremite/seek', { to: 'start' });
    assert.equal((await client.customRequest('eremite/position', {})).body.event, 1);
    await client.move('eremite/seek', { checkpoint: added.body.checkpoints[0].number });
    assert.equal((await client.stack()).find((each) => each.name === 'main').line, shop.mark('print') + 1);
    await client.customRequest('eremite/checkpoints', { delete: added.body.checkpoints[0].number });
    assert.match(await client.refusal(client.customRequest('eremite/seek', { event: 1e9 })), /no event/);

    const targets = (await client.gotoTargetsRequest({ source: { path: shop.path }, line: shop.mark('add') })).body.targets;
    await client.move('goto', { targetId: targets.find((each) => each.label.startsWith('back')).id });
    assert.equal(await client.line(), shop.mark('add'));
    assert.equal(await client.value('i'), '1');
    const into = (await client.stepInTargetsRequest({ frameId: await client.frame() })).body.targets;
    await client.move('stepIn', { targetId: into.find((each) => each.label === 'add').id });
    assert.equal((await client.stack())[0].name, 'add');
    await client.move('next');
    await client.move('restartFrame', { threadId: undefined, frameId: await client.frame() });
    assert.equal((await client.stack())[0].name, 'add');
    assert.equal(await client.line(), shop.mark('sum'));
    const modules = (await client.customRequest('modules', { startModule: 0 })).body.modules;
    assert.ok(modules.some((each) => each.name.startsWith('libc.so')));
    const sources = (await client.customRequest('loadedSources', {})).body.sources;
    assert.ok(sources.some((each) => each.path === shop.path));
    const { content } = (await client.sourceRequest({ source: { path: shop.path }, sourceReference: 0 })).body;
    assert.match(content, /struct item/);
    assert.match(
      await client.refusal(client.sourceRequest({ source: { path: '/nowhere.c' }, sourceReference: 0 })),
      /not found here/,
    );
    const completions = (await client.completionsRequest({ text: 'info br', column: 8 })).body.targets;
    assert.ok(completions.some((each) => each.label === 'breakpoints'));
    assert.match(await client.value('info line', 'repl'), /shop\.c/);
    assert.match(await client.value('monitor when', 'repl'), /event \d+ of \d+/);
    const variable = (await client.completionsRequest({ text: 'coun', column: 5 })).body.targets;
    assert.ok(variable.some((each) => each.label === 'counter'), JSON.stringify(variable));
    assert.equal(await client.value('a', 'repl'), '2');
    await client.move('stepOut');
    const outermost = (await client.stack()).at(-1);
    assert.equal(outermost.name, 'main');
    await client.breakAt(shop, shop.mark('add'));
    await client.move('restartFrame', { threadId: undefined, frameId: outermost.id });
    assert.equal((await client.stack()).length, 1);
    assert.equal(await client.line(), shop.mark('start') - 5);
    assert.equal((await client.move('continue')).reason, 'breakpoint');
    await client.breakAt(shop);
    const travelled = client.waitForEvent('stopped');
    await client.value('monitor seek START', 'repl');
    assert.equal((await travelled).body.reason, 'goto');
    assert.equal((await client.customRequest('eremite/position', {})).body.event, 1);
    assert.notEqual((await client.stack())[0].name, 'add');
    await client.leave();
  },

  async 'C: a program is recorded, then debugged; commands in the console move'({ c, config }) {
    const client = new Client(config);
    const shop = source(c.source);
    const printed = [];
    client.on('output', (event) => printed.push(event.body.output));
    await client.open({ program: c.program, args: ['one'], env: { EREMITE_TEST: '1' }, stopAt: 'main' });
    assert.match(printed.join(''), /total 10 1.5/);
    const stopped = client.waitForEvent('stopped');
    await client.value('break ' + shop.mark('price'), 'repl');
    await client.value('continue', 'repl');
    assert.equal((await stopped).body.reason, 'breakpoint');
    assert.equal(await client.line(), shop.mark('price'));
    await client.terminateRequest({});
    await client.leave();
  },

  async 'C: threads begin and end in both directions'({ threads, config }) {
    const client = new Client(config);
    const bank = source(threads.source);
    const known = new Set([1]);
    client.on('thread', ({ body }) => (body.reason === 'started' ? known.add(body.threadId) : known.delete(body.threadId)));
    const agree = async () => {
      const { body } = await client.threadsRequest();
      assert.deepEqual([...known].sort(), body.threads.map((each) => each.id).sort());
      return known.size;
    };
    const deposit = 21;
    await client.open({ recording: threads.recording, stopAt: 'main' }, () => client.breakAt(bank, deposit));
    assert.equal(await agree(), 1);
    assert.equal((await client.move('continue')).reason, 'breakpoint');
    assert.ok((await agree()) >= 2);
    await client.breakAt(bank);
    await client.move('continue');
    assert.equal(await agree(), 1);
    await client.breakAt(bank, deposit);
    const { threadId } = await client.move('reverseContinue');
    assert.notEqual(threadId, 1);
    assert.ok((await agree()) >= 2);
    // A client that knows of no restart takes a stop of another thread for one beside the point, unless all have gone on.
    const order = [];
    client.on('continued', () => order.push('continued'));
    const restarted = client.waitForEvent('stopped');
    await client.restartRequest({});
    assert.equal((await restarted).body.threadId, 1);
    assert.deepEqual(order, ['continued']);
    assert.equal(await agree(), 1);
    await client.leave();
  },

  async 'C++: containers, exceptions, both directions'({ cpp, config }) {
    const client = new Client(config);
    const shop = source(cpp.source);
    await client.open({ recording: cpp.recording }, () => client.breakAt(shop, shop.mark('print')));
    await client.move('continue');
    const { numbers, ages, text, items } = await client.variables();
    assert.match(numbers.value, /length 100000/);
    assert.equal(numbers.indexedVariables, 100000);
    const page = await client.children(numbers.variablesReference, { start: 5000, count: 3, filter: 'indexed' });
    assert.deepEqual(page.map((each) => each.value), ['10000', '10002', '10004']);
    const pairs = await client.children(ages.variablesReference);
    assert.deepEqual(pairs.map((each) => [each.name, each.value]), [['["ann"]', '30'], ['["bob"]', '25']]);
    assert.equal(text.value, '"hello"');
    const [pen] = await client.children(items.variablesReference);
    const fields = await client.children(pen.variablesReference);
    assert.equal(fields.find((each) => each.name === 'price').value, '2');
    await client.setExceptionBreakpointsRequest({ filters: ['throw', 'signals'] });
    assert.equal((await client.move('continue')).reason, 'exception');
    const info = (await client.exceptionInfoRequest({ threadId: 1 })).body;
    assert.equal(info.exceptionId, 'std::runtime_error');
    const [uncaught] = (
      await client.setExceptionBreakpointsRequest({
        filters: [],
        filterOptions: [{ filterId: 'catch', condition: 'nothing_such' }],
      })
    ).body.breakpoints;
    assert.equal(uncaught.verified, false);
    assert.doesNotMatch(await client.value('info breakpoints', 'repl'), /catch/);
    await client.setExceptionBreakpointsRequest({ filters: [], filterOptions: [{ filterId: 'catch' }] });
    assert.equal((await client.move('continue')).reason, 'exception');
    await client.setExceptionBreakpointsRequest({ filters: [] });
    await client.breakAt(shop, shop.mark('sum'));
    await client.move('reverseContinue');
    assert.equal((await client.variables()).total.value, '2');
    await client.breakAt(shop);
    await client.move('stepBack');
    await client.move('eremite/reverseStepOut');
    assert.equal(await client.line(), shop.mark('call'));
    const into = (await client.stepInTargetsRequest({ frameId: await client.frame() })).body.targets;
    assert.match(into[0].label, /^sum\(std::vector<Item/);
    await client.move('stepIn', { targetId: into[0].id });
    assert.equal((await client.stack())[0].name, 'sum');
    await client.leave();
  },

  async 'Rust: values of the library, both directions'({ rust, config }) {
    const client = new Client(config);
    const shop = source(rust.source);
    await client.open({ recording: rust.recording }, () => client.breakAt(shop, shop.mark('print')));
    assert.equal((await client.stack())[0].name, 'shop::main');
    await client.move('continue');
    const { numbers, text, some, none, scaled } = await client.variables();
    assert.match(numbers.value, /size=100000/);
    assert.equal(numbers.indexedVariables, 100000);
    const page = await client.children(numbers.variablesReference, { start: 0, count: 3, filter: 'indexed' });
    assert.deepEqual(page.map((each) => each.value), ['0', '1', '2']);
    assert.equal(text.value, '"hello"');
    assert.match(some.value, /Some\(7\)/);
    assert.match(none.value, /None/);
    const fields = await client.children(scaled.variablesReference);
    assert.deepEqual(fields.map((each) => each.value), ['4', '6']);
    const info = await client.dataBreakpointInfoRequest({ variablesReference: scaled.variablesReference, name: 'x' });
    await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.body.dataId }] });
    const stop = await client.move('reverseContinue');
    assert.equal(stop.reason, 'data breakpoint');
    assert.equal(await client.line(), shop.mark('change'));
    await client.setDataBreakpointsRequest({ breakpoints: [] });
    await client.breakAt(shop, shop.mark('scale'));
    await client.move('reverseContinue');
    assert.equal((await client.stack())[0].name, 'shop::scale');
    await client.breakAt(shop);
    await client.move('stepOut');
    await client.move('stepBack');
    assert.equal(await client.line(), shop.mark('call'));
    await client.leave();
  },

  async 'two sessions debug one recording; requests that are refused'({ c, config }) {
    const one = new Client(config);
    const two = new Client(config);
    await one.open({ recording: c.recording });
    await two.open({ recording: c.recording, stopAt: 'end' });
    await one.move('next');
    await two.move('stepBack');
    assert.notEqual(await one.line(), await two.line());
    assert.match(await one.refusal(one.stackTraceRequest({ threadId: 99 })), /thread/i);
    assert.match(await one.refusal(one.scopesRequest({ frameId: 99999 })), /no frame/);
    assert.match(await one.refusal(one.variablesRequest({ variablesReference: 99999 })), /nothing to open/);
    assert.match(await one.refusal(one.customRequest('terminateThreads', { threadIds: [1] })), /not supported/);
    assert.match(await one.refusal(one.exceptionInfoRequest({ threadId: 1 })), /not stopped at an exception/);
    assert.match(await one.refusal(one.launchRequest({ recording: 'latest' })), /already/);
    await one.leave();
    await two.leave();
  },
};
