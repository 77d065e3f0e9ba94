import type { JourneyDefinition, JourneyNames } from '@heliograph/contract/journeys/journey-definition';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import classes from './journey.module.css';
import { useJourneyWords } from './journey-voice.ts';
import { BOX, GAP, type Layout, layoutOf, type PlacedLine } from './picture-layout.ts';

interface PictureProps {
  definition: JourneyDefinition;
  names: JourneyNames;
  /** People who are at a step now. */
  waitingAt: (step: number) => number;
}

/** Steps of a journey as a picture, from the same definition as the list. The list says the same in words. */
export function JourneyPicture({ definition, names, waitingAt }: PictureProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { stepWords } = useJourneyWords();
  const layout = layoutOf(definition.steps, GAP.read);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that is wider than its card is moved by the keyboard
    <section ref={centered} className={classes.picture} tabIndex={0} aria-label={t('journeys.picture')}>
      <div role="img" aria-label={t('journeys.picture')}>
        <Canvas layout={layout} definition={definition} names={names}>
          {layout.boxes.map(({ step, ...at }) => {
            const waiting = waitingAt(step.id);
            const people = waiting > 0 ? ` · ${format.integer(waiting)}` : '';
            return (
              <div key={step.id} className={classes.box} style={placeOf(at)}>
                <BoxWords title={`${t(`journey_step.${step.do}`)}${people}`} words={stepWords(step, names)} />
              </div>
            );
          })}
        </Canvas>
      </div>
    </section>
  );
}

/** Shows the middle of a picture that is wider than its place, where people enter. */
export const centered = (element: HTMLElement | null) =>
  void element?.scrollTo({ left: (element.scrollWidth - element.clientWidth) / 2 });

interface CanvasProps {
  layout: Layout;
  definition: JourneyDefinition;
  names: JourneyNames;
  /** Boxes of the steps. */
  children: ReactNode;
}

/** Lines of a picture, with the boxes of entering and of the end. */
export function Canvas({ layout, definition, names, children }: CanvasProps) {
  const { t } = useTranslation();
  const { triggerWords } = useJourneyWords();
  const { lines, width, height, end } = layout;
  return (
    <div className={classes.canvas} style={{ width, height }}>
      <svg width={width} height={height} aria-hidden>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <Line key={at} line={line} />
        ))}
      </svg>
      <div className={classes.box} data-main style={placeOf({ x: width / 2, y: 0 })}>
        <BoxWords title={t('journeys.enter')} words={triggerWords(definition.trigger, names)} />
      </div>
      {children}
      <div className={classes.end} style={{ left: end.x, top: end.y }}>
        {t('journeys.finish')}
      </div>
    </div>
  );
}

/** Style that puts a box at the center of its upper edge. */
export const placeOf = ({ x, y }: { x: number; y: number }) => ({
  left: x - BOX.width / 2,
  top: y,
  width: BOX.width,
  height: BOX.height,
});

/** Words in a box: its kind, and two lines of what it does. The tooltip has all of them. */
export const BoxWords = ({ title, words }: { title: string; words: string }) => (
  <>
    <span className={classes.kind}>{title}</span>
    <span className={classes.words} title={words}>
      {words}
    </span>
  </>
);

function Line({ line }: { line: PlacedLine }) {
  const { t } = useTranslation();
  const { from, to, turn, branch, arrow } = line;
  const word =
    branch === null
      ? null
      : branch.step.do === 'split'
        ? `${branch.step.branches[branch.nth]!.share}%`
        : t(branch.nth === 0 ? 'journeys.yes' : 'journeys.no');
  return (
    <g>
      <path className={classes.line} d={`M ${from.x} ${from.y} V ${turn} H ${to.x} V ${to.y}`} />
      {arrow && <path className={classes.arrow} d={`M ${to.x - 4} ${to.y - 7} h 8 l -4 7 z`} />}
      {word !== null && (
        <text className={classes.branchWord} x={to.x + 16} y={from.y + 27}>
          {word}
        </text>
      )}
    </g>
  );
}
