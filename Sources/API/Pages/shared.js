'use strict';

const $ = id => document.getElementById(id);
const copyOf = id => $(id).content.firstElementChild.cloneNode(true);

/// A list in the query is the same name several times; a form goes as it is, anything else as JSON.
async function call(method, path, query, body) {
    const pairs = Object.entries(query).filter(([, value]) => value != null)
        .flatMap(([name, value]) => [value].flat().map(one => name + '=' + encodeURIComponent(one)));
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const content = body instanceof FormData ? { body } : body && json;
    const response = await fetch(path + '?' + pairs.join('&'), { method, ...content }).catch(() => {
        throw new Error('The server cannot be reached.');
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const text = answer.translatedError || answer.reason || `The server answered ${response.status}.`;
    throw Object.assign(new Error(text), { status: response.status, code: answer.code });
}

/// Runs what a control stands for, once at a time, and shows what goes wrong beside it.
async function attempt(control, error, work) {
    if (control.hasAttribute('aria-disabled')) return;
    control.setAttribute('aria-disabled', 'true');
    if (error) error.hidden = true;
    try {
        await work();
    } catch (problem) {
        if (!error) control.textContent = problem.message + ' Try again';
        else Object.assign(error, { textContent: problem.message, hidden: false });
    } finally {
        control.removeAttribute('aria-disabled');
    }
}

let phraseCount = 0;
let phraseTimer = 0;

/// What happened, at once and for five seconds. Of several things in a row the newest, and how many came before it.
function say(text) {
    clearTimeout(phraseTimer);
    $('said').textContent = phraseCount ? `${text} (and ${phraseCount} more)` : text;
    phraseCount++;
    phraseTimer = setTimeout(hush, 5000);
}

function hush() {
    clearTimeout(phraseTimer);
    phraseCount = 0;
    $('said').replaceChildren();
}

function ago(date) {
    const seconds = (date - Date.now()) / 1000;
    const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
    if (seconds > -45) return 'just now';
    if (seconds > -3600) return format.format(Math.round(seconds / 60), 'minute');
    if (seconds > -86400) return format.format(Math.round(seconds / 3600), 'hour');
    if (seconds > -604800) return format.format(Math.round(seconds / 86400), 'day');
    return date.toLocaleDateString('en', { dateStyle: 'medium' });
}

/// A letter on a colour, both of the name.
function paintFace(face, name) {
    face.textContent = [...name][0].toUpperCase();
    face.style.setProperty('--hue', [...name].reduce((hue, sign) => (hue * 31 + sign.codePointAt(0)) % 360, 7));
}
