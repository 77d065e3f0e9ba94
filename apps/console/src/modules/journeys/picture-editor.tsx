import { DndContext, useDraggable, useDroppable } from '@dnd-kit/core';
import { contactField } from '@heliograph/contract/audience/contact-field';
import { segment } from '@heliograph/contract/audience/segment';
import {
  allSteps,
  JOURNEY_LIMITS,
  JOURNEY_STEPS,
  type JourneyDefinition,
  type JourneyNames,
  type JourneyStep,
  referencesOf,
} from '@heliograph/contract/journeys/journey-definition';
import { findSteps, type Place } from '@heliograph/contract/journeys/journey-places';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowDown, IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SILENT_DRAG, useDragSensors } from '../../platform/drag.ts';
import { useFormState } from '../../resource/form.tsx';
import { useReferenceNames } from '../../resource/reference.tsx';
import { useCampaignNames } from './campaign-names.ts';
import classes from './journey.module.css';
import { BoxWords, Canvas, centered, placeOf } from './journey-picture.tsx';
import { useJourneyWords } from './journey-voice.ts';
import { GAP, layoutOf, type PlacedStep, type Spot } from './picture-layout.ts';
import { StepPanel } from './step-panel.tsx';
import { canMove, depthOf, fitsAt, insertStep, moveStep, newStep, nextId, replaceStep } from './step-tree.ts';

const ICON = { size: 14, stroke: 2, 'aria-hidden': true } as const;

interface EditorProps {
  corporationId: number;
  definition: JourneyDefinition;
  onChange: (steps: JourneyStep[]) => void;
}

/**
 * Editor of the steps of a journey as a picture. A step is added between two others, opened by a click, and moved by
 * drawing it or by choosing its new place.
 */
export function PictureEditor({ corporationId, definition, onChange }: EditorProps) {
  const { t } = useTranslation();
  const { stepWords } = useJourneyWords();
  const { errors } = useFormState();
  const names = useNames(definition);
  const [chosen, setChosen] = useState<number | null>(null);
  const [moving, setMoving] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const picture = useRef<HTMLElement>(null);
  useEffect(() => centered(picture.current), []);
  const sensors = useDragSensors();
  const { steps } = definition;
  const found = findSteps(steps);
  const layout = layoutOf(steps, GAP.edit);
  const faulty = found.filter(({ path, step }) => hasFault(path, step, errors)).map(({ step }) => step.id);
  const open = found.find(({ step }) => step.id === chosen);

  // A fault that the form found is opened, because a box has no room for its text.
  const firstFault = faulty[0];
  useEffect(() => {
    if (firstFault !== undefined) setChosen((present) => present ?? firstFault);
  }, [firstFault]);

  const spots = layout.spots.filter(({ place }) =>
    moving === null ? allSteps(steps).length < JOURNEY_LIMITS.steps : canMove(steps, moving, place),
  );
  const add = (kind: JourneyStep['do'], place: Place) => {
    const step = newStep(kind, nextId(steps));
    onChange(insertStep(steps, place, step));
    setChosen(step.id);
  };
  const move = (id: number, place: Place) => {
    onChange(moveStep(steps, id, place));
    setMoving(null);
    setSaid(t('journeys.moved'));
    focusBox(id);
  };
  const focusBox = (id: number) =>
    requestAnimationFrame(() => picture.current?.querySelector<HTMLElement>(`[data-step="${id}"]`)?.focus());
  return (
    <div className={classes.editor}>
      <DndContext
        sensors={sensors}
        accessibility={SILENT_DRAG}
        onDragStart={({ active }) => setMoving(Number(active.id))}
        onDragCancel={() => setMoving(null)}
        onDragEnd={({ active, over }) => {
          const spot = spots.find((each) => keyOf(each) === over?.id);
          if (spot) move(Number(active.id), spot.place);
          else setMoving(null);
        }}
      >
        <section ref={picture} className={classes.picture} aria-label={t('journeys.picture')}>
          <Canvas layout={layout} definition={definition} names={names}>
            {layout.boxes.map((placed) => (
              <StepBox
                key={placed.step.id}
                placed={placed}
                words={stepWords(placed.step, names)}
                chosen={placed.step.id === chosen}
                fault={faulty.includes(placed.step.id)}
                onClick={() => setChosen(placed.step.id)}
              />
            ))}
            {spots.map((spot) => (
              <SpotButton
                key={keyOf(spot)}
                spot={spot}
                where={whereIs(spot.place)}
                depth={depthOf(steps, spot.place)}
                {...(moving === null
                  ? { onAdd: (kind) => add(kind, spot.place) }
                  : { onTake: () => move(moving, spot.place) })}
              />
            ))}
          </Canvas>
        </section>
      </DndContext>
      {open && (
        <StepPanel
          key={open.step.id}
          step={open.step}
          corporationId={corporationId}
          errorOf={(field) => errors[`${open.path}.${field}`]}
          moving={moving !== null}
          onChange={(step) => onChange(replaceStep(steps, open.step.id, step))}
          onMove={() => setMoving(moving === null ? open.step.id : null)}
          onRemove={() => {
            onChange(replaceStep(steps, open.step.id, null));
            setChosen(null);
            setMoving(null);
          }}
          onClose={() => {
            setChosen(null);
            setMoving(null);
            focusBox(open.step.id);
          }}
        />
      )}
      <span className="app-visually-hidden" role="status">
        {said}
      </span>
    </div>
  );

  /** Words for a place: before which step it is, or at the end of which list. */
  function whereIs({ inside, branch, at }: Place): string {
    const next = found.find(({ place }) => place.inside === inside && place.branch === branch && place.at === at);
    if (next) return t('journeys.before', { step: stepWords(next.step, names) });
    const owner = found.find(({ step }) => step.id === inside)?.step;
    if (owner === undefined) return t('journeys.at_end');
    const list =
      owner.do === 'split'
        ? t('journeys.branch_n', { n: branch + 1 })
        : t(branch === 0 ? 'journeys.yes' : 'journeys.no');
    return t('journeys.at_end_of', { list, step: stepWords(owner, names) });
  }
}

/** Tells if the form has a fault of a step itself, not of those within it. */
const hasFault = (path: string, step: JourneyStep, errors: Record<string, unknown>): boolean =>
  Object.keys(errors).some((key) => {
    if (!errors[key] || !key.startsWith(`${path}.`)) return false;
    const rest = key.slice(path.length + 1);
    return step.do === 'condition' || step.do === 'split' ? !/^(yes|no|branches\.\d+\.steps)\./.test(rest) : true;
  });

const keyOf = ({ place }: Spot): string => `${place.inside ?? ''}.${place.branch}.${place.at}`;

/** Returns the names of all records that the steps refer to, chosen ones that are not saved included. */
function useNames(definition: JourneyDefinition): JourneyNames {
  const { segments, fields, senders, campaigns } = referencesOf(definition);
  const chosen = (ids: readonly number[]) => ids.filter((id) => id > 0);
  return {
    segments: useReferenceNames(segment, chosen(segments)),
    fields: useReferenceNames(contactField, chosen(fields)),
    senders: useReferenceNames(senderId, chosen(senders)),
    campaigns: useCampaignNames(campaigns),
  };
}

function StepBox(props: { placed: PlacedStep; words: string; chosen: boolean; fault: boolean; onClick: () => void }) {
  const { placed, words, chosen, fault, onClick } = props;
  const { t } = useTranslation();
  const { step, ...at } = placed;
  const { listeners, setNodeRef, transform, isDragging } = useDraggable({ id: step.id });
  return (
    <button
      ref={setNodeRef}
      type="button"
      className={classes.box}
      data-step={step.id}
      data-chosen={chosen || undefined}
      data-fault={fault || undefined}
      data-moving={isDragging || undefined}
      aria-pressed={chosen}
      style={{ ...placeOf(at), ...(transform && { transform: `translate(${transform.x}px, ${transform.y}px)` }) }}
      onPointerDown={listeners?.['onPointerDown'] as React.PointerEventHandler | undefined}
      onClick={onClick}
    >
      <BoxWords title={t(`journey_step.${step.do}`)} words={words} />
    </button>
  );
}

interface SpotProps {
  spot: Spot;
  /** Words for the place. */
  where: string;
  depth: number;
  onAdd?: (kind: JourneyStep['do']) => void;
  /** Set while a step is moved: takes it here. */
  onTake?: () => void;
}

/** Button between two steps: it adds one here, or takes the one that is moved. */
function SpotButton({ spot, where, depth, onAdd, onTake }: SpotProps) {
  const { t } = useTranslation();
  const { setNodeRef, isOver } = useDroppable({ id: keyOf(spot) });
  const place = { className: classes.spot!, style: { left: spot.x, top: spot.y }, radius: 'xl', size: 26 } as const;
  if (!onAdd)
    return (
      <ActionIcon
        ref={setNodeRef}
        {...place}
        variant={isOver ? 'filled' : 'light'}
        aria-label={t('journeys.move_here', { where })}
        onClick={onTake}
      >
        <IconArrowDown {...ICON} />
      </ActionIcon>
    );
  return (
    <Menu position="bottom" withinPortal>
      <Menu.Target>
        <ActionIcon ref={setNodeRef} {...place} variant="default" aria-label={t('journeys.add_here', { place: where })}>
          <IconPlus {...ICON} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {JOURNEY_STEPS.filter((kind) => fitsAt(newStep(kind, 1), depth)).map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {t(`journey_step.${kind}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
