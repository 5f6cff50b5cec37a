import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { viewNames } from '../desk-bar.tsx';
import { Panel } from '../panel.tsx';
import styles from './keys.module.css';
import { areKeysOff, switchKeys } from './keys-setting.ts';
import { viewKeys } from './view-keys.ts';

const keys: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'Search'],
  ['j', 'Next row'],
  ['k', 'Row before'],
  ['x', 'Select the row'],
  ['e', 'Open the row'],
  ['Ctrl K', 'Go to, or find'],
  ['?', 'These keys'],
  ...Object.entries(viewKeys).map(([key, view]) => [`g ${key}`, viewNames[view]] as const),
];

/** The keys of the desk, and a box that switches the letters off. */
export const KeyList = ({ onClose }: { onClose: () => void }) => {
  const [isOn, setIsOn] = useState(!areKeysOff());
  return (
    <Panel heading="Keys" onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(([name, what]) => (
          <div key={name}>
            <dt>
              {name.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            switchKeys(target.checked);
            setIsOn(target.checked);
          }}
        />
        Single letters act
      </label>
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Panel>
  );
};
