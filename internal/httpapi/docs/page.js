// Shows the contract of this service. All files come from the service itself: no validator badge, no fonts.

// The viewer is dark on devices that prefer dark pages.
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);

// The search texts of the operations, by operationId. Until they are loaded, every operation matches.
let texts = null;

// finds reports whether an operation has every typed word, in any order.
function finds(id, typed) {
  return typed.toLowerCase().split(/\s+/).every((word) => texts === null || (texts[id] ?? '').includes(word));
}

const search = {
  fn: {
    opsFilter: (tags, typed) => tags
      .map((tag) => tag.set('operations', tag.get('operations').filter((one) => finds(one.getIn(['operation', 'operationId']), typed))))
      .filter((tag) => tag.get('operations').size > 0),
  },
  components: { FilterContainer: () => null }, // the page has a field of its own
};

const ui = SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#viewer',
  deepLinking: true, // #/Serials/advanceSerial opens that operation
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  filter: true,
  plugins: [search],
  validatorUrl: null,
  onComplete: offerSearch,
});

// offerSearch loads the search texts and then shows the field.
async function offerSearch() {
  const answer = await fetch('/docs/search.json');
  if (!answer.ok) {
    return;
  }
  texts = await answer.json();
  const form = document.querySelector('#search');
  const field = document.querySelector('#words');
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('input', () => show(field.value.trim()));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && field.value !== '') {
      event.preventDefault();
      field.value = '';
      show('');
    }
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea, select, [contenteditable]');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  });
}

// show lists the operations that match, without the text above them, or all operations if nothing was typed.
function show(typed) {
  document.body.classList.toggle('searching', typed !== '');
  ui.layoutActions.updateFilter(typed === '' ? true : typed);
  const count = Object.keys(texts).filter((id) => finds(id, typed)).length;
  const words = { 0: 'No operation', 1: '1 operation' }[count] ?? `${count} operations`;
  document.querySelector('#found').textContent = typed === '' ? '' : words;
}

// What the viewer leaves out for people who use a screen reader: the list of servers has no name, and the button that opens an operation
// has a link in it, which leads where the button leads.
new MutationObserver(() => {
  document.querySelector('#servers')?.setAttribute('aria-label', 'Server');
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) {
    link.removeAttribute('href');
  }
}).observe(document.querySelector('#viewer'), { childList: true, subtree: true });
