import { writeFileSync } from 'node:fs';

export interface Point {
  readonly size: number;
  readonly seconds: number;
}

export interface PlotInput {
  readonly title: string;
  readonly sizeOf: string;
  readonly points: readonly Point[];
}

const width = 640;
const height = 360;
const margin = 60;

/** Powers of ten, which both scales are in. */
const decades = (from: number, to: number): readonly number[] => {
  const first = Math.floor(Math.log10(from));
  const last = Math.ceil(Math.log10(to));
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, at) => 10 ** (first + at));
};

/** One HTML file without anything from elsewhere: CPU seconds against size, with a line that grows as n log n. */
export function plotHtml({ title, sizeOf, points }: PlotInput): string {
  const sizes = decades(
    Math.min(...points.map(({ size }) => size)),
    Math.max(...points.map(({ size }) => size)),
  );
  const times = decades(
    Math.min(...points.map(({ seconds }) => seconds)),
    Math.max(...points.map(({ seconds }) => seconds)),
  );
  const along = (value: number, scale: readonly number[], length: number): number => {
    const first = Math.log10(scale[0] ?? 1);
    const last = Math.log10(scale.at(-1) ?? 10);
    return ((Math.log10(value) - first) / (last - first)) * length;
  };
  const x = (size: number) => margin + along(size, sizes, width - 2 * margin);
  const y = (seconds: number) => height - margin - along(seconds, times, height - 2 * margin);
  const line = (all: readonly Point[]) =>
    all.map(({ size, seconds }) => `${x(size).toFixed(1)},${y(seconds).toFixed(1)}`).join(' ');
  const largest = points.at(-1) ?? { size: 10, seconds: 1 };
  const perStep = largest.seconds / (largest.size * Math.log2(largest.size + 1));
  const reference = points
    .map(({ size }) => ({ size, seconds: perStep * size * Math.log2(size + 1) }))
    .filter(({ seconds }) => seconds >= (times[0] ?? 0));
  const grid = [
    ...sizes.map(
      (size) =>
        `<line x1="${x(size)}" x2="${x(size)}" y1="${margin}" y2="${height - margin}"/><text x="${x(size)}" y="${height - margin + 18}" text-anchor="middle">${size}</text>`,
    ),
    ...times.map(
      (seconds) =>
        `<line x1="${margin}" x2="${width - margin}" y1="${y(seconds)}" y2="${y(seconds)}"/><text x="${margin - 8}" y="${y(seconds) + 4}" text-anchor="end">${Number(seconds.toPrecision(1))} s</text>`,
    ),
  ];
  const marks = points.map(
    ({ size, seconds }) =>
      `<circle cx="${x(size)}" cy="${y(seconds)}" r="4"><title>${size}: ${seconds} s</title></circle>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body{font:14px sans-serif;margin:2em;color:#222;background:#fff}svg{max-width:100%}
line{stroke:#ddd}text{fill:#555;font-size:12px}polyline{fill:none;stroke:#1b6ca8;stroke-width:2}
polyline.reference{stroke:#999;stroke-dasharray:5 4}circle{fill:#1b6ca8}td,th{padding:2px 12px;text-align:right}</style></head>
<body><h1>${title}</h1>
<p>CPU seconds, warm, against ${sizeOf}; both scales are logarithmic. Dashed: growth as n log n through the last point.</p>
<svg viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${title}">
${grid.join('\n')}
<polyline class="reference" points="${line(reference)}"/>
<polyline points="${line(points)}"/>
${marks.join('\n')}
<text x="${width / 2}" y="${height - 14}" text-anchor="middle">${sizeOf}</text></svg>
<table><tr><th>${sizeOf}</th><th>CPU s</th></tr>${points.map(({ size, seconds }) => `<tr><td>${size}</td><td>${seconds}</td></tr>`).join('')}</table>
</body></html>
`;
}

export const writePlot = (file: string, input: PlotInput): void =>
  writeFileSync(file, plotHtml(input));
