import { sql } from 'kysely';
import { describeSchema, type EngineSchema, type SchemaOf } from '../engine.ts';

export const postgresSchema: EngineSchema = {
  async listColumns(db, table) {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = to_regclass(${table})
    `.execute(db);
    return rows.map(({ name }) => name);
  },

  schemaQuery: sql`
    with home as (
      select relnamespace as oid from pg_class where oid = to_regclass('books')
    ), own as (
      select pg_class.* from pg_class join home on relnamespace = home.oid
      where relkind <> 'c' and relkind <> 't' and relname !~ '^kysely_migration(_lock)?(_pkey)?$'
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    ), lines as (
      select relname as name, concat_ws(' ', attname, format_type(atttypid, atttypmod), attcollation::regcollation,
          attnotnull, nullif(attstattarget, -1), regexp_replace(pg_get_expr(adbin, adrelid), '[a-z_0-9"]+\\.', '')) as line
        from own join pg_attribute on attrelid = own.oid
        left join pg_attrdef on adrelid = own.oid and adnum = attnum
        where relkind in ('r', 'p') and attnum > 0 and not attisdropped
      union all
      select relname, concat_ws(' ', conname, pg_get_constraintdef(pg_constraint.oid))
        from own join pg_constraint on conrelid = own.oid where contype in ('p', 'u', 'f', 'c')
      union all
      select relname, regexp_replace(pg_get_indexdef(oid), ' ON (ONLY )?\\S+ ', ' ') from own where relkind in ('i', 'I')
      union all
      select tgname, concat_ws(' ', 'trigger', relname, tgtype, tgenabled, prosrc)
        from pg_class join home on relnamespace = home.oid
        join pg_trigger on tgrelid = pg_class.oid join pg_proc on tgfoid = pg_proc.oid where not tgisinternal
      union all
      select rulename, concat_ws(' ', 'rule', relname, pg_get_ruledef(pg_rewrite.oid))
        from pg_class join home on relnamespace = home.oid
        join pg_rewrite on ev_class = pg_class.oid where rulename <> '_RETURN'
      union all
      select proname, concat_ws(' ', 'function', pg_get_function_identity_arguments(pg_proc.oid), prosrc)
        from pg_proc join home on pronamespace = home.oid
        where not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      union all
      select polname, concat_ws(' ', 'policy', relname, polcmd, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
        from pg_class join home on relnamespace = home.oid join pg_policy on polrelid = pg_class.oid
      union all
      select relname, 'row security' from own where relrowsecurity
      union all
      select relname, case when relkind in ('v', 'm', 'f') then 'view' else '' end
        from own where relkind not in ('r', 'p', 'i', 'I')
    )
    select name, string_agg(line, E'\\n' order by line collate "C") as lines from lines group by name`,

  async describeMade(db, statements) {
    let described: SchemaOf = new Map();
    const rollBack = new Error('not to be committed');
    await db
      .transaction()
      .execute(async (db) => {
        await sql`create schema colophon_check`.execute(db);
        await sql`
          select set_config('search_path', 'colophon_check, ' || current_setting('search_path'), true)
        `.execute(db);
        for (const statement of statements) await db.executeQuery(statement);
        described = await describeSchema(db);
        throw rollBack;
      })
      .catch((error: unknown) => {
        if (error !== rollBack) throw error;
      });
    return described;
  },

  /** An index whose making failed is there, and not used. */
  async checkIntegrity(db) {
    const { rows } = await sql<{ name: string; isValid: boolean }>`
      select indexrelid::regclass::text as name, indisvalid and indisready as "isValid"
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = (select relnamespace from pg_class where oid = to_regclass('books'))
    `.execute(db);
    const bad = rows.filter(({ isValid }) => !isValid);
    const faults = bad.map(
      ({ name }) => `The index ${name} is not valid: \`reindex index ${name}\` makes it anew.`,
    );
    return { count: rows.length, unit: 'index', faults };
  },
};
