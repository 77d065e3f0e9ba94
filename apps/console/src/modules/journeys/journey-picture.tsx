import type { JourneyDefinition, JourneyNames } from '@heliograph/contract/journeys/journey-definition';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import classes from './journey.module.css';
import { useJourneyWords } from './journey-voice.ts';
import { BOX, layoutOf, type PlacedLine, type PlacedStep } from './picture-layout.ts';

/** Characters of a line in a box, and lines. */
const LINE = 26;
const LINES = 2;

interface PictureProps {
  definition: JourneyDefinition;
  names: JourneyNames;
  /** People who are at a step now. */
  waitingAt: (step: number) => number;
}

/** Steps of a journey as a picture, from the same definition as the list. The list says the same in words. */
export function JourneyPicture({ definition, names, waitingAt }: PictureProps) {
  const { t } = useTranslation();
  const { triggerWords } = useJourneyWords();
  const top = BOX.height + BOX.gapY;
  const { boxes, lines, width, end } = layoutOf(definition.steps, top);
  const height = end.y + 40;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that is wider than its card is moved by the keyboard
    <section className={classes.picture} tabIndex={0} aria-label={t('journeys.picture')}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('journeys.picture')}
      >
        <Box x={width / 2} y={0} title={t('journeys.enter')} words={triggerWords(definition.trigger, names)} main />
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <Line key={at} line={line} />
        ))}
        {boxes.map((placed) => (
          <StepBox key={placed.step.id} placed={placed} names={names} waiting={waitingAt(placed.step.id)} />
        ))}
        <g>
          <rect className={`${classes.box} ${classes.main}`} x={end.x - 45} y={end.y} width={90} height={30} rx={15} />
          <text className={classes.words} x={end.x} y={end.y + 19} textAnchor="middle">
            {t('journeys.finish')}
          </text>
        </g>
      </svg>
    </section>
  );
}

function StepBox({ placed, names, waiting }: { placed: PlacedStep; names: JourneyNames; waiting: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { stepWords } = useJourneyWords();
  const { step, x, y } = placed;
  const people = waiting > 0 ? ` · ${format.integer(waiting)}` : '';
  return <Box x={x} y={y} title={`${t(`journey_step.${step.do}`)}${people}`} words={stepWords(step, names)} />;
}

function Box(props: { x: number; y: number; title: string; words: string; main?: boolean }) {
  const { x, y, title, words, main = false } = props;
  const left = x - BOX.width / 2;
  return (
    <g>
      <title>{words}</title>
      <rect
        className={`${classes.box} ${main ? classes.main : ''}`}
        x={left}
        y={y}
        width={BOX.width}
        height={BOX.height}
        rx={8}
      />
      <text className={classes.small} x={left + 10} y={y + 17}>
        {title.length > LINE ? `${title.slice(0, LINE)}…` : title}
      </text>
      {wrapped(words).map((line, at) => (
        <text key={line} className={classes.words} x={left + 10} y={y + 34 + at * 16}>
          {line}
        </text>
      ))}
    </g>
  );
}

function Line({ line }: { line: PlacedLine }) {
  const { t } = useTranslation();
  const { from, to, branch } = line;
  const bend = from.y + (to.y - from.y) / 2;
  const word =
    branch === null
      ? null
      : branch.step.do === 'split'
        ? `${branch.step.branches[branch.nth]!.share}%`
        : t(branch.nth === 0 ? 'journeys.yes' : 'journeys.no');
  const straight = from.x === to.x;
  const path = straight
    ? `M ${from.x} ${from.y} V ${to.y}`
    : branch
      ? `M ${from.x} ${from.y} V ${from.y + 12} H ${to.x} V ${to.y}`
      : `M ${from.x} ${from.y} V ${Math.max(from.y, to.y - 14)} H ${to.x} V ${to.y}`;
  return (
    <g>
      <path className={classes.line} d={path} />
      <path className={classes.arrow} d={`M ${to.x - 4} ${to.y - 7} h 8 l -4 7 z`} />
      {word !== null && (
        <text className={classes.small} x={to.x + 6} y={straight ? bend : from.y + 26}>
          {word}
        </text>
      )}
    </g>
  );
}

/** Cuts a text into lines that fit a box. Wide letters of Chinese count twice. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  let length = 0;
  for (const letter of text) {
    const own = /[\u2e80-\uffff]/.test(letter) ? 2 : 1;
    if (length + own > LINE) {
      const space = line.lastIndexOf(' ');
      const cut = space > LINE / 2 ? space : line.length;
      lines.push(line.slice(0, cut));
      line = line.slice(cut).trimStart();
      length = [...line].reduce((sum, each) => sum + (/[\u2e80-\uffff]/.test(each) ? 2 : 1), 0);
    }
    line += letter;
    length += own;
  }
  lines.push(line);
  const shown = lines.slice(0, LINES);
  if (lines.length > LINES) shown[LINES - 1] = `${shown[LINES - 1]!.slice(0, -1)}…`;
  return shown;
}
