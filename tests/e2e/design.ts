import { data } from '../fixtures.ts';
import type { CallRaw, Site } from '../fixtures.ts';

/** The test page of the design toolset; its output records events. */
export const page = `<title>Design</title><h1>Shop</h1><p class="item">Tea</p><p class="item">Milk</p><output id="out"></output>
<button id="go" onclick="out.value = 'clicked ' + event.detail">Go</button>
<button id="menu" oncontextmenu="out.value = 'menu'; return false">Menu</button><button id="off" disabled>Off</button>
<input id="name" value="Ada" data-kind="person" onkeydown="out.value = 'keys'"><input id="pass" type="password" value="hunter2">
<select id="list"><option value="1">One</option><option value="2">Two</option></select>
<select id="many" multiple><option selected>a</option><option selected>b</option></select>
<input type="checkbox" id="box"><a id="link" href="/next?x=1">Next</a><span id="gone" hidden>Hidden</span>
<div id="over" onmouseover="out.value = 'over'">Over</div>`;

export async function open(site: Site, callRaw: CallRaw, html = page): Promise<string> {
  site.set('/', html);
  const url = site.url('/');
  await callRaw('navigate', { url });
  return url;
}

export async function out(callRaw: CallRaw): Promise<unknown> {
  return data(await callRaw('get_text', { selector: '#out' }));
}
