// The dashboard's style sheet: light and dark by the reader's own setting, no fonts or images from anywhere.

export const STYLE = `
:root {
  --ground: #f6f7f9; --card: #fff; --text: #1a1f29; --quiet: #5b6472; --line: #d9dde4;
  --accent: #0b6bcb; --on-accent: #fff; --good: #17733b; --bad: #b3261e; --note: #fff6dd;
  font: 15px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --card: #1d2129; --text: #e7eaf0; --quiet: #9aa4b4; --line: #333a46;
    --accent: #6cb3ff; --on-accent: #0c1118; --good: #66cf8d; --bad: #ff8a80; --note: #3a3216;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); }
header, main { max-width: 70rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { padding-bottom: 0; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; }
h1 { font-size: 1.35rem; margin: 0.5rem 0; }
h2 { font-size: 1.05rem; margin: 0 0 0.75rem; }
#status { color: var(--quiet); margin: 0; }
#status.bad { color: var(--bad); font-weight: 600; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem; margin-bottom: 1.25rem; }
form, .row { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin-bottom: 1rem; }
label { display: grid; gap: 0.2rem; font-size: 0.85rem; color: var(--quiet); }
input, select, button {
  font: inherit; font-size: 0.9rem; color: var(--text); background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; height: 2.2rem; padding: 0 0.6rem; max-width: 100%;
}
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.bad { color: var(--bad); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.secret { background: var(--note); border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem; margin-bottom: 1rem; }
.secret p { margin: 0 0 0.5rem; }
.secret code { display: inline-block; margin-right: 0.75rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.5rem 0.75rem 0.5rem 0; border-top: 1px solid var(--line); vertical-align: middle; }
th { color: var(--quiet); font-size: 0.8rem; font-weight: 600; border-top: 0; }
td:not(:first-child) { white-space: nowrap; }
td select { max-width: 15rem; }
td small { display: block; color: var(--quiet); font-family: ui-monospace, monospace; }
td:last-child { white-space: nowrap; text-align: right; }
td button + button { margin-left: 0.4rem; }
.active { color: var(--good); } .suspended, .revoked { color: var(--bad); }
.bars { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.6rem; }
.bars li { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr minmax(6rem, auto); gap: 0.75rem; align-items: center; }
.bars .name { overflow: hidden; text-overflow: ellipsis; font-family: ui-monospace, monospace; font-size: 0.9rem; }
.bars progress { appearance: none; border: 0; width: 100%; height: 0.6rem; border-radius: 0.3rem; overflow: hidden; background: var(--line); }
.bars progress::-webkit-progress-bar { background: var(--line); }
.bars progress::-webkit-progress-value { background: var(--accent); border-radius: 0.3rem; }
.bars progress::-moz-progress-bar { background: var(--accent); border-radius: 0.3rem; }
.bars .errors { color: var(--bad); }
@media (max-width: 46rem) {
  thead { position: absolute; clip-path: inset(50%); }
  tr { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.9rem; border-top: 1px solid var(--line); padding: 0.75rem 0; }
  td, td:last-child { border: 0; padding: 0; text-align: left; }
  td:first-child { width: 100%; }
  .bars li { grid-template-columns: 1fr auto; gap: 0.2rem 0.75rem; }
  .bars progress { grid-column: 1 / -1; grid-row: 2; }
}
#usage-total { margin: 0 0 0.4rem auto; color: var(--quiet); }
.hidden-text { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
`;
