// How figures and times are written. Times are media time in seconds.

export function mediaTime(seconds, digits = 1) {
  const scale = 10 ** digits;
  const ticks = Math.round(Math.max(0, seconds) * scale);
  const whole = Math.floor(ticks / scale);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = digits ? "." + String(ticks % scale).padStart(digits, "0") : "";
  const second = String(whole % 60).padStart(2, "0") + rest;
  if (hours) return `${hours}:${String(minutes).padStart(2, "0")}:${second}`;
  return `${minutes}:${second}`;
}

export function span(start, end) {
  return end === null ? `${mediaTime(start)} on` : `${mediaTime(start)} to ${mediaTime(end)}`;
}

export function figure(value, digits = 2, unit = "") {
  if (value === null || value === undefined || !Number.isFinite(value)) return "not known";
  return value.toFixed(digits) + (unit ? " " + unit : "");
}

export function count(number, one, many = one + "s") {
  return `${number} ${number === 1 ? one : many}`;
}

export function percentile(sorted, share) {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Changes a text only where it differs: what a screen reader holds stays as it is.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function listFigures(list, pairs, none = "") {
  const wanted = pairs.length ? pairs : none ? [["", none]] : [];
  while (list.children.length > wanted.length) list.lastElementChild.remove();
  wanted.forEach(([name, value], at) => {
    const row = list.children[at] || list.appendChild(
      element("div", {}, element("dt"), element("dd")));
    write(row.firstElementChild, name || "None");
    write(row.lastElementChild, value);
  });
}
