/** Test pages whose look differs from their DOM: what a person sees is decided by styles, drawings and layers. */

const page = (title: string, body: string, css = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${css}</style></head><body>${body}</body></html>`;

export function countersPage(): string {
  return page(
    'Counters',
    `<h2>Start</h2><h3>Plan</h3><h3>Build</h3><h2>End</h2><h3>Ship</h3>
    <ul class="steps"><li>Mix</li><li>Bake</li></ul>
    <ol class="tree"><li>Root<ol><li>Leaf</li><li>Twig</li></ol></li><li>Other</li></ol>
    <button class="tag">Photo</button> <button class="tag">Film</button>`,
    `body{counter-reset:chapter tag}h2{counter-reset:part}h2::before{counter-increment:chapter;content:"Chapter " counter(chapter) ": "}
    h3::before{counter-increment:part;content:counter(chapter) "." counter(part,lower-alpha) " "}
    .steps{counter-reset:step;list-style:none}.steps li{counter-increment:step}.steps li::before{content:counter(step,upper-roman) ") "}
    .tree,.tree ol{counter-reset:item;list-style:none}.tree li{counter-increment:item}.tree li::before{content:counters(item,".") " "}
    .tag{counter-increment:tag}.tag::after{content:" (" counter(tag,decimal-leading-zero) ")"}`,
  );
}

export function textCasePage(): string {
  return page(
    'Letters',
    `<h2 class="upper">Summer sale</h2><p class="upper">Shipping to Köln: Straße</p><p class="title">new york city, it’s here</p>
    <p class="lower">NOT LOUD</p><p style="text-transform:uppercase">Inline <span style="text-transform:none">Mixed</span></p>
    <button class="upper">Buy now</button> <a class="upper" href="/more">Read more</a>
    <label class="upper" for="mail">E-mail</label><input id="mail">`,
    '.upper{text-transform:uppercase}.title{text-transform:capitalize}.lower{text-transform:lowercase}',
  );
}

export function markersPage(): string {
  return page(
    'Markers',
    `<ul class="yes"><li>Battery</li><li>Charger</li></ul><ul class="no"><li>Cable</li></ul><ul class="hand"><li>Look here</li></ul>
    <ul class="votes"><li>Taste</li><li>Price</li></ul><ul class="numbered"><li>First</li><li>Second</li></ul>
    <ol class="zero"><li>Alpha</li><li>Beta</li></ol><ol class="step"><li>Unpack</li><li>Plug in</li></ol>
    <ol style="list-style-type:upper-roman" start="4"><li>Four</li></ol><ul><li>Plain</li></ul><ol style="list-style:none"><li>Bare</li></ol>`,
    `.yes li{list-style-type:"✓ "}.no li::marker{content:"✗ "}.hand{list-style:"→ "}
    @counter-style votes{system:cyclic;symbols:"+" "−";suffix:" "}.votes{list-style:votes}.numbered{list-style:decimal}
    .zero{list-style:decimal-leading-zero}.step li::marker{content:"Step " counter(list-item) ": "}`,
  );
}

export function drawingsPage(): string {
  return page(
    'Drawings',
    `<svg width="420" height="100" xmlns:xlink="http://www.w3.org/1999/xlink">
      <a href="/north"><title>North region</title><rect x="5" y="5" width="60" height="80" fill="green"/></a>
      <a xlink:href="/south" xlink:title="South region"><circle cx="120" cy="45" r="40" fill="red"/></a>
      <rect x="180" y="5" width="60" height="80" fill="blue"><title>January: 5</title></rect>
      <g><title>Winter</title><rect x="260" y="5" width="60" height="80" fill="orange"/></g>
      <path d="M340 85 L380 5 L420 85 Z" fill="gray"/></svg>
    <p><svg width="300" height="40"><title>Sales by quarter</title><text x="5" y="20">Q1: 10</text><text x="90" y="20">Q2: 14</text></svg></p>
    <p><svg width="300" height="40" role="img" aria-label="Visitors"><text x="5" y="20">Mon</text><text x="90" y="20">Tue</text></svg></p>
    <div role="img" aria-label="4 of 5 stars"><span>★</span><span>★</span><span>★</span><span>★</span><span>☆</span></div>
    <div role="img" aria-label="Share of votes"><span>Yes 60%</span> <span>No 40%</span></div>
    <button><svg width="20" height="20"><title>Settings</title><circle cx="10" cy="10" r="8"/></svg></button>`,
  );
}

/** A native modal dialog, deep in the page. */
export function modalPage(): string {
  return page(
    'Modal',
    `<header><a href="/">Home</a></header><main><h1>Orders</h1><p>Two orders.</p><button>New order</button>
    <div><dialog id="dialog" aria-label="Delete order"><p>Delete order 7?</p><button>Delete</button><button>Keep</button></dialog></div></main>
    <footer><a href="/imprint">Imprint</a></footer><script>document.getElementById('dialog').showModal();</script>`,
  );
}

/** A modal dialog of a library: its backdrop covers the page, which is hidden from assistive technology. */
export function backdropPage(): string {
  return page(
    'Backdrop',
    `<main><h1>Cart</h1><button>Check out</button></main><div aria-hidden="true"><button>Chat</button></div>
    <div class="backdrop"><div role="dialog" aria-modal="true" aria-label="Sign in"><label>Name <input></label><button>Sign in</button></div></div>`,
    '.backdrop{position:fixed;inset:0;background:rgba(0,0,0,.6)}[role=dialog]{margin:120px auto;width:300px;padding:20px;background:#fff}',
  );
}

/** Everything but the first and the last lines is hidden by a style. */
export function concealedPage(): string {
  const hidden = [
    'transform:translateX(-9999px)',
    'transform:scale(0)',
    'scale:0',
    'translate:-9999px',
    'margin-left:-9999px',
    'position:relative;left:-9999px',
    'clip-path:circle(0)',
    'clip-path:inset(100%)',
    'clip-path:polygon(0 0,0 0,0 0)',
    'filter:opacity(0)',
    'mask-image:linear-gradient(transparent,transparent)',
    'color:transparent',
    '-webkit-text-fill-color:transparent',
    'color:#000;-webkit-text-fill-color:#fff',
    'opacity:0',
    'font-size:0',
    'text-indent:-9999px',
    'text-indent:100%;white-space:nowrap;overflow:hidden;width:100px',
    'width:0;height:0;overflow:hidden',
    'width:1px;height:1px;overflow:hidden',
    'max-height:0;overflow:clip',
    'content-visibility:hidden',
  ];
  return page(
    'Concealed',
    `<p>First line</p><p class="black">Black fill on white</p><p class="moved">Moved, in view</p>
    ${hidden.map((style, index) => `<div style="${style}">Ghost ${index}</div>`).join('')}
    <p class="out">Ghost of a rule</p><p class="cut">Ghost of a clip path</p><div hidden="until-found">Ghost until found</div>
    <button>Pay<span style="opacity:0"> nothing</span></button><button><span style="opacity:0">Search</span></button>
    <iframe width="0" height="0" style="border:0" srcdoc="Ghost frame"></iframe><iframe width="1" height="1" srcdoc="Ghost pixel"></iframe>
    <details><summary>More</summary><summary>Ghost summary</summary>Ghost details</details><p>Last line</p>`,
    `body{background:#fff}.black{color:#fff;-webkit-text-fill-color:#000}.moved{transform:translateX(120px);clip-path:inset(0);filter:opacity(.9)}
    .out{transform:translateY(-3000px)}.cut{clip-path:ellipse(0 50%)}`,
  );
}

export function embeddedPage(): string {
  return page(
    'Embedded',
    `<p>Above</p><object data="/inside-object" type="text/html" width="300" height="60"></object>
    <embed src="/inside-embed" width="300" height="60"><object data="/missing.png" type="image/png" width="60" height="60">No picture. <a href="/download">Download it</a></object>
    <p>Below</p>`,
  );
}

/** Hidden from assistive technology, but not from a person. */
export function mutedPage(): string {
  return page(
    'Muted',
    `<div aria-hidden="true"><button>Open map</button> <a href="/route">Route</a> by car</div>
    <p>Price: <span class="reader">$19.99</span><span aria-hidden="true"><span>$</span>19<sup>99</sup></span></p>
    <p><i aria-hidden="true" class="icon">home</i> Start <span aria-hidden="true">›</span> Here</p>
    <div class="slides"><div><a href="/one">One</a></div><div aria-hidden="true"><a href="/two">Two</a></div></div>
    <nav aria-hidden="true" class="drawer"><a href="/closed">Closed drawer</a></nav><button>Menu <span aria-hidden="true">▾</span></button>`,
    `.reader{position:absolute;left:-9999px}.icon{font-family:"Material Icons"}.slides{width:200px;overflow:hidden;display:flex;position:relative}
    .slides div{flex:0 0 200px}.drawer{position:fixed;top:0;left:0;width:250px;transform:translateX(-100%)}`,
  );
}

export function labelsPage(): string {
  return page(
    'Labels',
    `<p><label><input type="checkbox"> Flash the screen <input value="5" size="2"> times</label></p>
    <p><label><input type="radio"> Remind me <select><option>never</option><option selected>daily</option></select></label></p>
    <div role="checkbox" aria-checked="false" tabindex="0">Zoom to <span role="slider" tabindex="0" aria-valuenow="40" aria-valuetext="40 percent">▮▮▯▯</span></div>
    <div role="checkbox" aria-checked="true" tabindex="0">Paint it <span role="listbox"><span role="option" aria-selected="true">blue</span></span></div>
    <p><label for="city">City</label> <input id="city" value="Bonn"> <input aria-labelledby="city"> <button aria-labelledby="self city" id="self" aria-label="Clear">×</button></p>
    <p><input type="checkbox" id="terms"><label for="terms">Terms</label> <input aria-labelledby="terms" placeholder="Initials"></p>
    <p><button aria-labelledby="nobody">Save</button> <input aria-labelledby="nobody" placeholder="Nickname"></p>
    <p><button aria-owns="owned">Delete </button> <b id="owned">all files</b></p>
    <div role="listbox" aria-label="Colours"><div role="option" aria-label="Red">#f00</div></div>
    <select aria-label="Size"><option aria-label="Small">S</option><option label="Large">L</option></select><x-chip>Chip</x-chip>
    <script>customElements.define('x-chip', class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: 'open' }).innerHTML = '<button><slot aria-label="Unseen label"></slot></button>'; } });</script>`,
  );
}

export function bookPage(): string {
  return page(
    'Book',
    `<nav role="doc-toc" aria-label="Contents"><a href="#c1">Chapter one</a></nav>
    <main><aside>Aside in main</aside><section role="doc-chapter" aria-label="Chapter one" id="c1"><h2>One</h2><p role="doc-subtitle">A beginning</p>
    <p>Some words.<a role="doc-noteref" href="#n1">1</a></p><section role="doc-abstract">In short</section><div role="doc-tip">Read on</div></section>
    <article><aside>Aside in an article</aside></article></main>
    <ol role="list"><li role="doc-endnote" id="n1">A note <a role="doc-backlink" href="#c1">back</a></li></ol>
    <div role="region">Region without a name</div><div role="form">Form without a name</div><section aria-labelledby="nobody">Section with a dangling label</section>`,
  );
}

export function badgesPage(): string {
  return page(
    'Badges',
    `<p><span class="chip">Red</span><span class="chip">Blue</span>12</p><p><span class="tag">New</span><span class="tag">Sale</span></p>
    <p>Total<span class="far">€12</span></p><p>Inbox<b class="tag">3</b>unread</p><p>un<b>believ</b>able</p>
    <p>Left<img alt="" width="40" height="10" src="data:,">right</p><p><span class="letter">W</span><span class="letter">ord</span></p>
    <h2>Notes</h2><p>Please leave the parcel with the neighbours if nobody is at home.</p>
    <textarea aria-label="Delivery notes" rows="4">Please ring the bell

and wait a moment</textarea>`,
    '.chip{display:inline-block;margin:0 4px;background:#ddd}.tag{padding:1px 6px;background:gold}.far{margin-left:60px}.letter{display:inline-block}',
  );
}
