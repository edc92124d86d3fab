import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { NativePopup } from '../dashboard/protocol.ts';
import { change } from './api.ts';
import { popups, put } from './model.ts';

type Of<K extends NativePopup['is']> = Extract<NativePopup, { is: K }>;

interface PopupProps<P> {
  readonly session: string;
  readonly popup: P;
}

const mostRows = 12;

/** What the browser of the agent would show in windows of its own: lists, dates, colors, files, dialogs. */
export function PopupPanel({ session }: { readonly session: string }): JSX.Element | null {
  const [popup] = popups.value.get(session) ?? [];
  if (popup === undefined) return null;
  return <Panel key={popup.id} session={session} popup={popup} />;
}

function Panel({ session, popup }: PopupProps<NativePopup>): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector<HTMLElement>('select, input, button')?.focus(), []);
  const close = (): void => void put(session, { kind: 'answer', popup: popup.id, accept: false });
  const title = titleOf(popup);
  return (
    <div
      ref={panel}
      class="popup"
      role="dialog"
      aria-modal="true"
      aria-label={title}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') close();
      }}
    >
      <p class="name">{title}</p>
      {popup.is === 'field' && popup.kind === 'select' && <Options session={session} popup={popup} />}
      {popup.is === 'field' && popup.kind !== 'select' && <Value session={session} popup={popup} />}
      {popup.is === 'file' && <Files session={session} popup={popup} />}
      {popup.is === 'dialog' && <Dialog session={session} popup={popup} />}
      {!(popup.is === 'dialog' && popup.type === 'alert') && (
        <button type="button" onClick={close}>
          Cancel
        </button>
      )}
    </div>
  );
}

function titleOf(popup: NativePopup): string {
  if (popup.is === 'dialog') return `The page opened a dialog (${popup.type})`;
  if (popup.is === 'file') return 'Choose a file for the page';
  return popup.label === '' ? `Choose (${popup.kind})` : popup.label;
}

function Options({ session, popup }: PopupProps<Of<'field'>>): JSX.Element {
  const list = useRef<HTMLSelectElement>(null);
  const groups = popup.options.reduce<{ readonly name: string; readonly indexes: number[] }[]>((all, option, index) => {
    const last = all.at(-1);
    if (last?.name === option.group) last.indexes.push(index);
    else all.push({ name: option.group, indexes: [index] });
    return all;
  }, []);
  const choose = (): void => {
    const chosen = [...(list.current?.selectedOptions ?? [])].map(({ value }) => Number(value));
    void put(session, { kind: 'answer', popup: popup.id, options: chosen });
  };
  const option = (index: number): JSX.Element => (
    <option
      key={index}
      value={index}
      disabled={popup.options[index]?.isDisabled === true}
      selected={popup.options[index]?.isSelected === true}
    >
      {popup.options[index]?.label}
    </option>
  );
  return (
    <>
      <select
        ref={list}
        aria-label="Options"
        multiple={popup.isMultiple}
        size={Math.min(mostRows, Math.max(2, popup.options.length + groups.length))}
        onDblClick={choose}
        onKeyDown={({ key }) => key === 'Enter' && choose()}
      >
        {groups.map(({ name, indexes }) =>
          name === '' ? (
            indexes.map(option)
          ) : (
            <optgroup key={name} label={name}>
              {indexes.map(option)}
            </optgroup>
          ),
        )}
      </select>
      <button type="button" class="primary" onClick={choose}>
        Choose
      </button>
    </>
  );
}

function Value({ session, popup }: PopupProps<Of<'field'>>): JSX.Element {
  const value = useSignal(popup.value);
  const submit = (event: Event): void => {
    event.preventDefault();
    void put(session, { kind: 'answer', popup: popup.id, value: value.value });
  };
  return (
    <form onSubmit={submit}>
      <input
        type={popup.kind === 'select' ? 'date' : popup.kind}
        aria-label="Value"
        value={value.value}
        min={popup.min}
        max={popup.max}
        step={popup.step === '' ? undefined : popup.step}
        onInput={({ currentTarget }) => (value.value = currentTarget.value)}
      />
      <button type="submit" class="primary">
        Choose
      </button>
    </form>
  );
}

function Files({ session, popup }: PopupProps<Of<'file'>>): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const upload = async (files: readonly File[]): Promise<void> => {
    for (const [index, file] of files.entries()) {
      const query = new URLSearchParams({ popup: String(popup.id), name: file.name, type: file.type });
      if (index < files.length - 1) query.set('more', '1');
      problem.value = await change(`/api/v1/sessions/${session}/files?${query}`, file);
      if (problem.value !== undefined) return;
    }
  };
  return (
    <>
      <input
        type="file"
        aria-label="File"
        multiple={popup.isMultiple}
        accept={popup.accept === '' ? undefined : popup.accept}
        onChange={({ currentTarget }) => void upload([...(currentTarget.files ?? [])])}
      />
      <p class="quiet">It is sent to the page, and kept by this server only until then.</p>
      <span role="alert">{problem.value}</span>
    </>
  );
}

function Dialog({ session, popup }: PopupProps<Of<'dialog'>>): JSX.Element {
  const text = useSignal(popup.value);
  const isPrompt = popup.type === 'prompt';
  const submit = (event: Event): void => {
    event.preventDefault();
    const answer = { accept: true, ...(isPrompt ? { value: text.value } : {}) };
    void put(session, { kind: 'answer', popup: popup.id, ...answer });
  };
  return (
    <form onSubmit={submit}>
      <p class="message">{popup.message}</p>
      {isPrompt && (
        <input
          aria-label="Answer"
          value={text.value}
          maxLength={2000}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      )}
      <button type="submit" class="primary">
        OK
      </button>
    </form>
  );
}
