import { useQuery } from '@tanstack/react-query';
import { admissionQuery } from '../../api/desk-queries.ts';

/** For a view that fetches nothing when it opens: whoever may not use the desk learns it at once all the same. */
export const useAdmission = (): void => {
  useQuery(admissionQuery);
};
