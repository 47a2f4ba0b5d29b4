async function post(text, parentId = null) {
    const { comment } = await write('POST', thread, {
        comment: text, commenterName: me.username, url: location.href, urlId: page, parentId,
    });
    const item = items.get(comment._id) ?? added(comment, true);
    renderFrame();
    if (parentId) item?.article.focus();
    item?.li.scrollIntoView({ block: 'nearest' });
    say(parentId ? 'Reply posted' : 'Comment posted');
}

function makeForm({ label, text = '', button, send, cancel, keep }) {
    const form = copyOf('form');
    const [area, error] = form.children;
    const [hint, no, yes] = form.lastElementChild.children;
    Object.assign(form, { area, hint });
    area.setAttribute('aria-label', label);
    area.placeholder = 'Markdown works: **bold**, *italic*, `code`';
    area.value = text;
    yes.textContent = button;
    no.hidden = !cancel;
    no.onclick = cancel;
    area.oninput = () => keep?.(area.value);
    form.onkeydown = event => {
        if (event.key === 'Escape' && cancel) cancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    };
    form.onsubmit = event => {
        event.preventDefault();
        attempt(yes, error, () => send(area.value));
    };
    return form;
}

/// Opens a dialog; true when it was agreed to. `what` is the thing to delete.
function ask(dialog, what) {
    if (what) dialog.querySelector('h2 span').textContent = what;
    const { username, email } = dialog.firstElementChild.elements;
    if (username) {
        username.value = me?.username ?? '';
        email.value = me?.email ?? '';
        $('forget').hidden = !me;
        dialog.querySelector('.error').hidden = true;
    }
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise(done => {
        dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true });
    });
}

function recall() {
    try { return JSON.parse(localStorage.getItem('parley.me')); } catch { return null; }
}

function remember(person) {
    try {
        if (person) localStorage.setItem('parley.me', JSON.stringify(person));
        else localStorage.removeItem('parley.me');
    } catch { /* a browser that keeps nothing: known until the page is left */ }
}
