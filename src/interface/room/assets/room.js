'use strict';
// The reading room: receipts beside the text, search while one types, keys, the
// board of runs. Pages can be read without it.
(() => {
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const when = (name, action) => document.addEventListener(name, action);
  const parse = (text) => new DOMParser().parseFromString(text, 'text/html');
  const live = $('#live'), box = $('#q'), wide = matchMedia('(min-width:64rem)');
  let panel = null, marks = [], on = null, waiting = null, token = '', follow = null;

  const part = (address) => address + (address.includes('?') ? '&' : '?') + 'part=1';
  const get = (address, signal) => fetch(address, { signal, headers: { Accept: 'text/html' } });
  const thisPage = async () => parse(await (await get(location.href)).text());
  const load = async (address, signal) => {
    const answer = await get(part(address), signal);
    if (!answer.ok && answer.status !== 404) throw new Error(answer.statusText);
    return answer.text();
  };
  const say = (text) => { $('#said').textContent = text; };
  const sayCount = (from) => say(`${$$('.hits>li', from).length || 'no'} results`);
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      say('Copied');
      return true;
    } catch {
      say('The browser did not allow copying');
      return false;
    }
  };
  const copyId = (id) => copy('link' in id.dataset ? new URL(id.textContent, location).href : id.textContent);

  // Receipts. `on` is the mark that keys are about: of its statement, the one that was used last.
  const select = (mark) => {
    if (mark) on = mark;
    for (const each of $$('.st')) each.classList.toggle('on', on && each.dataset.s === on.dataset.s);
  };
  const ready = (from) => {
    for (const button of $$('.copy', from)) {
      button.hidden = false;
      button.onclick = async () => {
        if (await copyId($('.id', button.parentNode))) button.textContent = 'Copied';
      };
    }
  };
  const open = async (mark, address = mark.getAttribute('href')) => {
    if (!panel) return;
    select(mark);
    const id = mark.dataset.s;
    const kept = byId('t' + id);
    if (kept) {
      panel.replaceChildren(kept.content.cloneNode(true));
    } else {
      try {
        panel.innerHTML = await load(address);
      } catch {
        location.href = address;
        return;
      }
    }
    const close = document.createElement('button');
    close.type = 'button';
    close.textContent = 'Close';
    close.onclick = shut;
    panel.prepend(close);
    panel.hidden = false;
    panel.scrollTop = 0;
    // Below the text on a small screen: the statement stays in sight.
    const said = !wide.matches && $('.st.on');
    if (said) said.scrollIntoView();
    ready(panel);
    // Who comes back from a source finds it open.
    history.replaceState(0, '', '#m' + id);
  };
  const shut = () => {
    if (!panel || panel.hidden) return false;
    panel.hidden = true;
    history.replaceState(0, '', location.pathname + location.search);
    if (on) on.focus();
    return true;
  };
  // Results: those shown while one types, otherwise those of the page.
  const walk = (by, from) => {
    const shown = live && !live.hidden, links = $$('.hits>li', shown ? live : $('main')).map((each) => $('a', each)).filter(Boolean);
    const at = links.findIndex((each) => each.closest('li').contains(from));
    const next = links[at + by] || (by < 0 ? shown ? box : $('main form input') || box : links[at]);
    if (links.length && next) next.focus();
    return links.length > 0;
  };
  const step = (by) => {
    if (!marks.length) return walk(by, document.activeElement);
    // From the statement that is selected and in sight, otherwise from the top of the window.
    const seen = (mark) => {
      const place = mark.getBoundingClientRect();
      return place.bottom > 0 && place.top < innerHeight;
    };
    const at = marks.findIndex((mark) => on && mark.dataset.s === on.dataset.s && seen(mark));
    const first = marks.findIndex((mark) => mark.getBoundingClientRect().top > 0);
    const from = at < 0 ? (first < 0 ? marks.length : first) - (by > 0 ? 1 : 0) : at;
    const to = Math.min(Math.max(from + by, 0), marks.length - 1);
    const mark = marks[to];
    mark.focus({ preventScroll: true });
    mark.scrollIntoView({ block: 'center' });
    if (panel && !panel.hidden) open(mark);
  };
  when('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const mark = event.target.closest('article .m');
    if (mark) {
      event.preventDefault();
      // What is hidden cannot have the focus.
      open(mark).then(() => panel.focus({ preventScroll: true }));
      return;
    }
    const around = event.target.closest('#receipt .around');
    if (around) {
      event.preventDefault();
      open(on, around.getAttribute('href'));
      return;
    }
    const words = event.target.closest('article .st');
    if (words && !event.target.closest('a') && !String(getSelection())) select(byId('m' + words.dataset.s));
  });

  // Keys are about the statement whose mark has the focus.
  when('focusin', (event) => {
    select(event.target.closest('article .m'));
  });

  // A line number, with Shift up to it, chooses what is marked and cited.
  let chosen = 0;
  when('click', (event) => {
    const no = event.target.closest('a.no[href^="#L"]');
    if (!no || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const at = Number(no.textContent), here = new URL(location), id = $('.cite .id'), blob = /\w{40}/.exec(id.textContent), link = $('.cite .ext');
    if (!event.shiftKey || !chosen) chosen = at;
    const [from, to] = [chosen, at].sort((a, b) => a - b);
    for (const line of $$('.ln')) line.classList.toggle('hit', line.id.slice(1) >= from && line.id.slice(1) <= to);
    id.textContent = id.textContent.replace(/;lines=[\d-]+|$/, `;lines=${from}${to > from ? '-' + to : ''}`);
    if (link) link.href = link.href.replace(/#.*|$/, `#L${from}-L${to}`);
    here.search = new URLSearchParams({ at: blob || '', from, to });
    here.hash = 'L' + from;
    history.replaceState(0, '', here);
  });

  // The table of contents follows: the last heading above the upper quarter is where one reads, and
  // at the end of the page above its bottom, since the last ones cannot be scrolled up.
  const contents = () => {
    if (follow) removeEventListener('scroll', follow);
    const entries = $$('nav.toc a[href^="#"]')
      .map((link) => ({ link, target: byId(decodeURIComponent(link.hash.slice(1))) }))
      .filter((each) => each.target);
    let here = null, asked = false;
    const show = () => {
      asked = false;
      let next = null;
      const left = document.documentElement.scrollHeight - scrollY - innerHeight;
      const edge = innerHeight / 4 + Math.max(0, Math.min(innerHeight * 0.75 - left, scrollY));
      for (const each of entries) {
        if (each.target.getBoundingClientRect().top > edge) break;
        next = each.link;
      }
      if (next === here) return;
      if (here) here.classList.remove('here');
      here = next;
      if (!here) return;
      here.classList.add('here');
      const list = here.closest('nav');
      if (wide.matches) list.scrollTop = here.offsetTop - list.clientHeight / 2;
    };
    follow = () => {
      if (!asked) requestAnimationFrame(show);
      asked = true;
    };
    addEventListener('scroll', follow, { passive: true });
    follow();
  };

  const unfoldContents = () => { for (const list of $$('nav.toc details')) list.open = wide.matches; };
  // What a page has, after it was loaded or replaced.
  const enter = () => {
    panel = $('#receipt');
    marks = $$('article .m[id]');
    ready(document);
    unfoldContents();
    for (const field of $$('[data-filter]')) {
      field.hidden = false;
      field.oninput = () => {
        const words = field.value.toLowerCase();
        for (const item of $$('li', field.closest('details'))) item.hidden = !item.textContent.toLowerCase().includes(words);
      };
    }
    contents();
  };
  enter();
  wide.onchange = unfoldContents;
  when('click', (event) => {
    const list = event.target.closest('nav.toc a') && event.target.closest('details');
    if (list && !wide.matches) list.open = false;
  });

  // A page that was sent before it was checked: the checked one replaces it, at the same place.
  if ($('main [data-unchecked]')) {
    thisPage().then((page) => {
      const next = $('main', page);
      if (!next) return;
      const near = $$('main [id]').find((each) => each.getBoundingClientRect().top >= 0);
      const top = near?.getBoundingClientRect().top;
      const focused = document.activeElement?.id;
      $('main').replaceChildren(...next.childNodes);
      const same = near && byId(near.id);
      if (same && scrollY > 0) scrollBy({ top: same.getBoundingClientRect().top - top, behavior: 'instant' });
      if (focused && $('main').contains(byId(focused))) byId(focused).focus({ preventScroll: true });
      enter();
      openNamed();
      say('The statements are checked');
    }).catch(() => say('The statements could not be checked; reload the page'));
  }

  // Search while one types: below the header, and on the page of search in place, with its filters.
  const search = document.body.dataset.search, form = $('#filters'), place = form ? $('#found') : live;
  const find = async () => {
    const asked = new URLSearchParams(new FormData(form || box.form)), words = asked.get('q').trim();
    if (waiting) waiting.abort();
    if (words.length < 2) {
      live.hidden = true;
      return;
    }
    const { signal } = waiting = new AbortController();
    try {
      // One pattern reads every source, and half of one is none.
      if (asked.get('mode') === 'regex') await new Promise((done) => setTimeout(done, 250));
      const html = await load(`${search}?${asked}${form ? '' : '&n=8'}`, signal);
      place.innerHTML = html;
      place.hidden = false;
      place.dataset.words = words;
      ready(place);
      if (form) history.replaceState(0, '', `${search}?${asked}`);
      sayCount(place);
    } catch (error) {
      if (error.name !== 'AbortError') live.hidden = true;
    }
  };
  if (form) {
    form.oninput = () => { box.value = form.q.value; find(); };
    box.oninput = () => { form.q.value = box.value; find(); };
    box.form.onsubmit = (event) => { event.preventDefault(); form.requestSubmit(); };
  }
  if (box) {
    // In a site, search.js finds.
    if (search && !form) box.addEventListener('input', find);
    // What was chosen may be on this page.
    when('click', (event) => {
      if (event.target !== box && (!live.contains(event.target) || event.target.closest('a'))) live.hidden = true;
    });
    // From the box to the results and between them.
    when('keydown', (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!by || !(event.target === box || event.target.closest('.hits, main form.form input:not([list])'))) return;
      if (waiting) waiting.abort();
      if (walk(by, event.target)) event.preventDefault();
    });
    // After Enter in a box: the first result has the focus, or the box again if there is none.
    const asked = /[?&](q|question)=[^&]/.test(location.search) && $('main form.form');
    if (asked && document.activeElement === document.body) {
      ($('main .hits>li a') || $('input', asked)).focus({ preventScroll: true });
      sayCount($('main'));
    }
  }

  const dialogOf = (label, html) => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', label);
    dialog.innerHTML = html;
    document.body.append(dialog);
    return dialog;
  };

  // Keys.
  let shown = null;
  const help = () => {
    if (!shown) {
      const rows = [['j, k', 'next, previous statement or result'], ['Enter', 'open it'], ['c', 'copy its citation'], ['/', 'search'], ['↓, ↑', 'through the results'], ['Esc', 'close'], ['?', 'these keys']];
      shown = dialogOf('Keys', `<dl class="facts">${rows.map(([key, does]) => `<dt>${key}</dt><dd>${does}</dd>`).join('')}</dl>`);
    }
    shown.open ? shown.close() : shown.showModal();
  };
  const copyCurrent = async () => {
    const hit = document.activeElement.closest('.hits>li');
    if (hit && $('.id', hit)) return copyId($('.id', hit));
    if (!on) return;
    if (panel.hidden || !$(`.receipt[data-s="${on.dataset.s}"]`, panel)) await open(on);
    const id = $(`.id[data-n="${parseInt(on.textContent)}"]`, panel) || $('.id', panel);
    if (id) copy(id.textContent);
  };
  when('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest('input,textarea,select');
    if (event.key === 'Escape') {
      if (live && !live.hidden) {
        live.hidden = true;
        box.focus();
      } else if (typing) typing.blur();
      else shut();
      return;
    }
    if (typing || event.target.closest('dialog')) return;
    const actions = { j: () => step(1), k: () => step(-1), c: copyCurrent, '/': () => box && box.focus(), '?': help };
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    } else if (event.key === 'Enter' && on && event.target === document.body) {
      open(on);
    }
  });

  // A link into a folded list opens it.
  const unfold = () => {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    const list = target && target.closest('details:not([open])');
    if (!list) return;
    list.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', unfold);

  // A statement named in the address is selected.
  const openNamed = () => {
    const named = /^#m(\d+)$/.exec(location.hash);
    const mark = named && byId('m' + named[1]);
    if (!mark) return;
    mark.scrollIntoView({ block: 'center', behavior: 'instant' });
    if (wide.matches) open(mark);
    else select(mark);
  };
  openNamed();

  // Makes the children of one element those of another, without touching what is the same:
  // a focused button keeps the focus. Elements with the same data-key are the same.
  const morph = (old, next) => {
    const key = (each) => each.dataset && each.dataset.key;
    const wanted = new Set([...next.children].map(key));
    for (const each of [...old.children]) if (key(each) && !wanted.has(key(each))) each.remove();
    const keyed = new Map([...old.children].filter(key).map((each) => [key(each), each]));
    let at = old.firstChild;
    for (const child of [...next.childNodes]) {
      const own = key(child);
      const same = own ? keyed.get(own) : at && !key(at) && at.nodeName === child.nodeName ? at : null;
      if (!same) {
        old.insertBefore(child, at);
        continue;
      }
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      if (same.isEqualNode(child)) continue;
      if (!same.attributes) {
        same.nodeValue = child.nodeValue;
        continue;
      }
      // What a reader opened or closed stays so.
      for (const one of [...same.attributes]) if (!child.hasAttribute(one.name) && one.name !== 'open') same.removeAttribute(one.name);
      for (const one of child.attributes) if (one.name !== 'open') same.setAttribute(one.name, one.value);
      if (!('keep' in same.dataset)) morph(same, child);
    }
    while (at) {
      const after = at.nextSibling;
      at.remove();
      at = after;
    }
  };

  // The board of runs: the server sends it when it changes. A browser has six connections to a
  // server for all its tabs. So the tabs that show the same board share one stream, which the
  // holder of a lock reads, and hidden tabs have none.
  const board = $('#board');
  if (board && board.dataset.events) {
    const address = board.dataset.events;
    const shared = 'BroadcastChannel' in window && new BroadcastChannel('sibyl' + address);
    const draw = (html) => morph(board, parse(html).body);
    let stop = null;
    const read = (done) => {
      const events = new EventSource(address);
      let lost = false;
      events.addEventListener('board', (event) => {
        if (lost) say('Connected again');
        lost = false;
        draw(event.data);
        if (shared) shared.postMessage(event.data);
      });
      events.addEventListener('error', () => {
        if (!lost && events.readyState !== EventSource.OPEN) lost = setTimeout(() => lost && say('The connection to the board was lost; trying again'), 5000);
      });
      return () => { events.close(); clearTimeout(lost); lost = false; done(); };
    };
    const begin = () => {
      if (stop || document.hidden) return;
      if (!shared || !navigator.locks) {
        stop = read(() => {});
        return;
      }
      const wait = new AbortController();
      let end = null;
      stop = () => { wait.abort(); if (end) end(); };
      navigator.locks.request('sibyl' + address, { signal: wait.signal }, () => new Promise((done) => { end = read(done); }))
        .catch(() => {});
    };
    if (shared) shared.onmessage = (event) => draw(event.data);
    const leave = () => {
      if (stop) stop();
      stop = null;
    };
    // What was missed meanwhile.
    const catchUp = async () => {
      const now = $('#board', await thisPage());
      if (now) morph(board, now);
    };
    const come = () => {
      if (document.hidden) return leave();
      begin();
      catchUp().catch(() => {});
    };
    when('visibilitychange', come);
    addEventListener('pagehide', leave);
    addEventListener('pageshow', (event) => { if (event.persisted) come(); });
    begin();
  }

  // Requests that write need the token: asked for once, kept in memory only.
  const askToken = () => new Promise((done) => {
    const dialog = dialogOf('Token', '<form method="dialog"><label>The token that the server printed at startup <input type="password" id="token" autocomplete="off"></label> <button>Use</button> <button value="no">Cancel</button></form>');
    dialog.onclose = () => {
      dialog.remove();
      done(dialog.returnValue === 'no' ? '' : $('input', dialog).value.trim());
    };
    dialog.oncancel = () => { dialog.returnValue = 'no'; };
    dialog.showModal();
  });
  when('submit', async (event) => {
    const form = event.target.closest('form[data-write]');
    if (!form) return;
    event.preventDefault();
    const said = $('[role=status]', form);
    token = token || await askToken();
    if (!token) return;
    const values = Object.fromEntries(new FormData(form));
    const answer = await fetch(form.action, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + token },
      body: JSON.stringify(values),
    });
    if (answer.status === 401) token = '';
    const body = await answer.json().catch(() => ({}));
    said.textContent = answer.ok ? 'Done' : answer.status === 401 ? 'That is not the token of this server' : body.error?.message || answer.statusText;
  });

  // A file is sent as it is; the answer replaces what was shown.
  when('submit', async (event) => {
    const form = event.target.closest('form[data-upload]');
    const file = form && $('[type=file]', form).files[0];
    if (!file) return;
    event.preventDefault();
    if (file.size > 8 << 20) {
      $('#checked').textContent = `${file.name} has more than 8 MB: inspect it with "sibyl inspect ${file.name}"`;
      return;
    }
    const query = new URLSearchParams({ kind: 'artifact', name: file.name, gpu: form.gpu.value, driver: form.driver.value });
    const answer = await fetch(form.action + '?' + query, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: file });
    const page = parse(await answer.text());
    const shown = $('#checked', page) || $('main', page);
    if (shown) $('#checked').replaceChildren(...shown.childNodes);
    else $('#checked').textContent = 'The server did not accept the file';
    scrollTo(0, 0);
  });

  // A dropped text is read into its box; a file for inspection is sent at once.
  for (const form of $$('form')) {
    const area = $('textarea[data-drop]', form), input = $('[type=file]', form);
    if (!area) continue;
    form.addEventListener('dragover', (event) => {
      event.preventDefault();
      form.classList.add('drop');
    });
    form.addEventListener('dragleave', () => form.classList.remove('drop'));
    form.addEventListener('drop', async (event) => {
      form.classList.remove('drop');
      const file = event.dataTransfer.files[0];
      if (!file) return;
      event.preventDefault();
      if (input) {
        input.files = event.dataTransfer.files;
        form.requestSubmit();
      } else {
        area.value = await file.text();
        form.requestSubmit($('button', form));
      }
    });
  }
})();
