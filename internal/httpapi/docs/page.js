// Shows the contract that this service serves. Everything comes from the service itself: no validator badge, no fonts.

// What can be searched of each operation, by its operationId. It comes with the field; until then nothing is left out.
let texts = null;

// finds reports whether an operation has every word of what was typed, in any order.
function finds(id, typed) {
  return typed.toLowerCase().split(/\s+/).every((word) => texts === null || (texts[id] ?? '').includes(word));
}

const search = {
  fn: {
    opsFilter: (tags, typed) => tags
      .map((tag) => tag.set('operations', tag.get('operations').filter((one) => finds(one.getIn(['operation', 'operationId']), typed))))
      .filter((tag) => tag.get('operations').size > 0),
  },
  components: { FilterContainer: () => null }, // the field of the page is there instead
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

// offerSearch shows the field when there is something to search in.
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

// show leaves the operations that were searched for, without the text above them; all of them when nothing was.
function show(typed) {
  document.body.classList.toggle('searching', typed !== '');
  ui.layoutActions.updateFilter(typed === '' ? true : typed);
  const count = Object.keys(texts).filter((id) => finds(id, typed)).length;
  const words = { 0: 'No operation', 1: '1 operation' }[count] ?? `${count} operations`;
  document.querySelector('#found').textContent = typed === '' ? '' : words;
}
