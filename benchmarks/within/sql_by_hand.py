"""SQL as one would write it by hand for what pages show: the same rows, and nothing else."""

from __future__ import annotations

RUNS = """
    SELECT run.id, run.label, run.tool, run.tool_version, run.started_at, run.created_at,
        run.sample_id, run.settings, run.notes, run.error, run.set_aside_reason, run.same_as_id,
        workload.pattern, workload.block_bytes, workload.queue_depth, workload.jobs,
        configuration.name, study.slug, study.title, study.translations, (
            SELECT host.name FROM inventory_environmentmachine AS part
            JOIN inventory_machinesnapshot AS machine ON machine.id = part.snapshot_id
            LEFT JOIN inventory_host AS host ON host.id = machine.host_id
            WHERE part.environment_id = run.environment_id
            ORDER BY part.role <> 'node-a', part.role LIMIT 1) AS host
    FROM results_run AS run JOIN results_workload AS workload ON workload.id = run.workload_id
    LEFT JOIN inventory_configuration AS configuration ON configuration.id = run.configuration_id
    LEFT JOIN results_study AS study ON study.id = run.study_id
    WHERE run.deleted_at IS NULL AND run.withdrawn_at IS NULL {narrowed} AND NOT EXISTS (
        SELECT FROM results_run AS other WHERE other.sample_id = run.sample_id
        AND other.id < run.id AND other.deleted_at IS NULL AND other.withdrawn_at IS NULL)
    ORDER BY run.id DESC LIMIT 51
"""
# the best number of each sample, measure by measure: of runs alone, and of those beside each other
SORTED = """
    SELECT id FROM ({parts}) AS found ORDER BY value DESC, id DESC LIMIT 51
"""
OF_ONE_MEASURE = """
    (SELECT run.id, value FROM results_measurement AS own JOIN results_run AS run ON run.id = run_id
    WHERE measure_id = {measure} AND deleted_at IS NULL AND withdrawn_at IS NULL
    AND NOT EXISTS (SELECT FROM results_joinedmeasurement AS joined
        WHERE joined.sample_id = run.sample_id AND joined.measure_id = {measure})
    AND NOT EXISTS (SELECT FROM results_measurement AS better
        WHERE better.run_id = run.id AND better.measure_id = ANY(ARRAY{better}::bigint[]))
    ORDER BY value DESC, run.id DESC LIMIT 51)
    UNION ALL (SELECT run.id, value FROM results_joinedmeasurement AS own
    JOIN results_run AS run USING (sample_id)
    WHERE measure_id = {measure} AND value IS NOT NULL
    AND deleted_at IS NULL AND withdrawn_at IS NULL
    AND NOT EXISTS (SELECT FROM results_joinedmeasurement AS better
        WHERE better.sample_id = run.sample_id AND better.measure_id = ANY(ARRAY{better}::bigint[])
        AND better.value IS NOT NULL)
    AND NOT EXISTS (SELECT FROM results_run AS other WHERE other.sample_id = run.sample_id
        AND other.id < run.id AND other.deleted_at IS NULL AND other.withdrawn_at IS NULL)
    ORDER BY value DESC, run.id DESC LIMIT 51)
"""
BY_CONFIGURATION = """
    SELECT run.id FROM results_run AS run
    LEFT JOIN inventory_configuration AS configuration ON configuration.id = run.configuration_id
    WHERE run.deleted_at IS NULL AND run.withdrawn_at IS NULL AND NOT EXISTS (
        SELECT FROM results_run AS other WHERE other.sample_id = run.sample_id
        AND other.id < run.id AND other.deleted_at IS NULL AND other.withdrawn_at IS NULL)
    ORDER BY configuration.name, run.id DESC LIMIT 51
"""
NUMBERS = "SELECT run_id, measure_id, value FROM results_measurement WHERE run_id = ANY(%s)"
COLUMNS_OFFERED = (
    """SELECT DISTINCT operation, metric, statistic FROM results_measurement
        JOIN results_measure AS measure ON measure.id = measure_id
        WHERE run_id = ANY(%s) AND statistic IN ('mean', 'p99')""",
    """SELECT DISTINCT key FROM results_run AS run
        JOIN inventory_configuration AS own ON own.id = run.configuration_id
        JOIN inventory_facet AS facet ON facet.stack_id = own.stack_id WHERE run.id = ANY(%s)""",
)
COUNT = """
    SELECT count(*) FROM (SELECT DISTINCT sample_id FROM results_run AS run
    WHERE deleted_at IS NULL AND withdrawn_at IS NULL {narrowed} LIMIT 10001) AS found
"""
BY = """
    SELECT {column}, count(DISTINCT sample_id) FROM results_run AS run
    WHERE deleted_at IS NULL AND withdrawn_at IS NULL {narrowed} GROUP BY {column}
"""
TAGS = """
    SELECT given.run_id, tag.name FROM results_tag_runs AS given
    JOIN results_tag AS tag ON tag.id = given.tag_id WHERE given.run_id = ANY(%s)
"""
DOUBTS = """
    SELECT run_id, kind, sentence, operations FROM results_doubt
    WHERE run_id = ANY(%s) AND dismissed_at IS NULL ORDER BY id
"""
PLANS = """
    SELECT job.plan_id, count(DISTINCT run.sample_id) FROM results_run AS run
    JOIN jobs_jobstep AS step ON step.artifact_id = run.artifact_id
    JOIN jobs_job AS job ON job.id = step.job_id
    WHERE deleted_at IS NULL AND withdrawn_at IS NULL
    AND run.environment_id = ANY(%(environments)s) AND workload_id = ANY(%(workloads)s)
    AND measured_at >= '2026-10-01' GROUP BY job.plan_id
"""
TAGS_OF = """
    SELECT tag_id, count(DISTINCT sample_id) FROM results_run AS run
    JOIN results_tag_runs AS given ON given.run_id = run.id
    WHERE deleted_at IS NULL AND withdrawn_at IS NULL {narrowed} GROUP BY tag_id
"""
DOUBTS_OF = """
    SELECT kind, count(DISTINCT sample_id) FROM (
        SELECT id, sample_id FROM results_run
        WHERE deleted_at IS NULL AND withdrawn_at IS NULL {narrowed}
    ) AS run JOIN results_doubt AS doubt ON doubt.run_id = run.id
    WHERE dismissed_at IS NULL GROUP BY kind
"""
WORDS = (
    "SELECT id, name, stack_id FROM inventory_configuration",
    "SELECT stack_id, key, text FROM inventory_facet",
    "SELECT id, pattern, block_bytes, queue_depth, jobs FROM results_workload",
    "SELECT slug, title, translations FROM results_study",
    """SELECT environment_id, host.name FROM inventory_environmentmachine AS part
        JOIN inventory_machinesnapshot AS machine ON machine.id = part.snapshot_id
        JOIN inventory_host AS host ON host.id = machine.host_id""",
    """SELECT tag.name, configuration_id FROM results_tag_configurations
        JOIN results_tag AS tag ON tag.id = tag_id""",
    """SELECT tag.name, study_id FROM results_tag_studies
        JOIN results_tag AS tag ON tag.id = tag_id""",
    "SELECT id, title FROM jobs_plan ORDER BY id DESC LIMIT 40",
)
COLUMNS = ("environment_id", "workload_id", "configuration_id", "tool", "study_id")
ON_HOST = " AND environment_id = ANY(%(environments)s)"
OF_WORKLOADS = " AND workload_id = ANY(%(workloads)s)"
SINCE = " AND measured_at >= %(since)s"

# the newest of each kind that have the word; of runs by what they point at, or by their own words
FOUND = {
    "studies": """
        SELECT id, slug, title, question, translations FROM results_study
        WHERE upper(title) LIKE %(like)s OR upper(question) LIKE %(like)s OR upper(words) LIKE %(like)s
        OR upper(translations::text) LIKE %(like)s OR id IN (
            SELECT study_id FROM results_tag_studies JOIN results_tag AS tag ON tag.id = tag_id
            WHERE upper(tag.name) LIKE %(like)s)
        ORDER BY id DESC LIMIT 9""",
    "configurations": """
        SELECT own.id, own.name, stack.tree FROM inventory_configuration AS own
        JOIN inventory_stack AS stack ON stack.id = own.stack_id
        WHERE upper(own.name) LIKE %(like)s OR upper(own.notes) LIKE %(like)s OR stack.id IN (
            SELECT stack_id FROM inventory_facet
            WHERE upper(key) LIKE %(like)s OR upper(text) LIKE %(like)s)
        OR own.id IN (
            SELECT configuration_id FROM results_tag_configurations
            JOIN results_tag AS tag ON tag.id = tag_id WHERE upper(tag.name) LIKE %(like)s)
        ORDER BY own.id DESC LIMIT 9""",
    "environments": """
        SELECT own.id, own.network FROM inventory_environment AS own WHERE own.id IN (
            SELECT environment_id FROM inventory_environmentname WHERE upper(name) LIKE %(like)s)
        OR own.id IN (
            SELECT part.environment_id FROM inventory_environmentmachine AS part
            JOIN inventory_machinesnapshot AS machine ON machine.id = part.snapshot_id
            LEFT JOIN inventory_host AS host ON host.id = machine.host_id
            WHERE upper(host.name) LIKE %(like)s OR upper(machine.facts::text) LIKE %(like)s)
        ORDER BY own.id DESC LIMIT 9""",
    "uploads": """
        SELECT id, name, outcome, created_at FROM results_upload
        WHERE upper(name) LIKE %(like)s OR upper(sentence) LIKE %(like)s ORDER BY id DESC LIMIT 9""",
    "hosts": """
        SELECT id, name, notes FROM inventory_host WHERE upper(name) LIKE %(like)s
        OR upper(notes) LIKE %(like)s OR id IN (
            SELECT host_id FROM jobs_target WHERE upper(address) LIKE %(like)s)
        ORDER BY id DESC LIMIT 9""",
    "plans": """
        SELECT id, title, recipe_name, created_at FROM jobs_plan
        WHERE upper(title) LIKE %(like)s OR upper(recipe_name) LIKE %(like)s ORDER BY id DESC LIMIT 9""",
}
POINTED_AT = """
    SELECT 'workload', id FROM results_workload
    WHERE upper(pattern) LIKE %(like)s OR upper(script) LIKE %(like)s
    UNION ALL SELECT 'environment', environment_id FROM inventory_environmentmachine AS part
    JOIN inventory_machinesnapshot AS machine ON machine.id = part.snapshot_id
    JOIN inventory_host AS host ON host.id = machine.host_id WHERE upper(host.name) LIKE %(like)s
    UNION ALL SELECT 'target', target.id FROM jobs_target AS target
    JOIN inventory_host AS host ON host.id = target.host_id WHERE upper(host.name) LIKE %(like)s
    UNION ALL SELECT 'configuration', id FROM inventory_configuration
    WHERE upper(name) LIKE %(like)s
    UNION ALL SELECT 'layer', stack_id FROM inventory_facet WHERE upper(text) = %(word)s
    UNION ALL SELECT 'tag', id FROM results_tag WHERE upper(name) LIKE %(like)s
"""
# each way to it by itself and no further than is shown, so that each takes its own index
RUNS_FOUND = """
    SELECT run.id, run.label, run.tool, run.tool_version, run.started_at, run.created_at,
        run.settings, run.sample_id, workload.*, configuration.name FROM results_run AS run
    JOIN results_workload AS workload ON workload.id = run.workload_id
    LEFT JOIN inventory_configuration AS configuration ON configuration.id = run.configuration_id
    WHERE run.id IN (
        (SELECT id FROM results_run WHERE environment_id = ANY(%(environments)s::bigint[])
            AND deleted_at IS NULL AND withdrawn_at IS NULL ORDER BY id DESC LIMIT 9)
        UNION SELECT * FROM (SELECT id FROM results_run
            WHERE upper(label) LIKE %(like)s LIMIT 1000) AS labelled
        UNION SELECT run_id FROM results_tag_runs JOIN results_tag AS tag ON tag.id = tag_id
            WHERE upper(tag.name) LIKE %(like)s
        UNION SELECT own.id FROM results_upload JOIN results_run AS own USING (artifact_id)
            WHERE upper(name) LIKE %(like)s
    ) ORDER BY run.id DESC LIMIT 9
"""
JOBS_FOUND = """
    SELECT job.id, plan.title, job.position, job.title, job.state FROM jobs_job AS job
    JOIN jobs_plan AS plan ON plan.id = job.plan_id WHERE job.id IN (
        (SELECT job_id FROM jobs_jobnode WHERE target_id = ANY(%(targets)s::bigint[])
            ORDER BY id DESC LIMIT 9)
        UNION SELECT * FROM (SELECT id FROM jobs_job
            WHERE upper(title) LIKE %(like)s LIMIT 1000) AS titled
        UNION (SELECT own.id FROM jobs_plan JOIN jobs_job AS own ON own.plan_id = jobs_plan.id
            WHERE upper(jobs_plan.title) LIKE %(like)s ORDER BY own.id DESC LIMIT 9)
    ) ORDER BY job.id DESC LIMIT 9
"""

CARDS = """
    SELECT id, slug, title, question, translations, charts, EXISTS (
        SELECT FROM results_run AS run WHERE run.study_id = study.id
        AND deleted_at IS NULL AND withdrawn_at IS NULL) AS measured
    FROM results_study AS study ORDER BY id DESC LIMIT 25
"""
CONDITIONS = """
    SELECT study_id, label, configuration_id, environment_id FROM results_condition
    WHERE study_id = ANY(%s) ORDER BY position, id
"""
NEWEST_OF_STUDIES = """
    SELECT run.*, configuration.name, sample.beside FROM unnest(%s::bigint[]) AS own (id)
    CROSS JOIN LATERAL (
        SELECT id, tool, study_id, configuration_id, environment_id, workload_id, settings,
            sample_id FROM results_run AS run WHERE study_id = own.id AND counted
        ORDER BY study_id, counted, run.id DESC LIMIT 100
    ) AS run JOIN inventory_configuration AS configuration
    ON configuration.id = run.configuration_id
    JOIN results_sample AS sample ON sample.id = run.sample_id ORDER BY run.id
"""
MEANS = """
    SELECT run_id, measure_id, value FROM results_measurement
    WHERE run_id = ANY(%s) AND measure_id = ANY(%s)
"""
MEANS_THERE = "SELECT id, operation, metric FROM results_measure WHERE statistic = 'mean'"
WORKLOADS = "SELECT * FROM results_workload"

IN_SHORT = """
    SELECT DISTINCT study_id, configuration_id, tool, tool_version, environment_id, settings
    FROM (
        SELECT * FROM results_run WHERE counted AND configuration_id IS NOT NULL
        ORDER BY id DESC LIMIT 2000
    ) AS run
"""
NEWEST_TAGGED = """
    SELECT DISTINCT tag.name, run.configuration_id FROM (
        SELECT id, configuration_id FROM results_run
        WHERE counted AND configuration_id IS NOT NULL ORDER BY id DESC LIMIT 2000
    ) AS run JOIN results_tag_runs AS given ON given.run_id = run.id
    JOIN results_tag AS tag ON tag.id = given.tag_id
"""
CHOICES = (
    """SELECT slug, title, translations FROM results_study AS study WHERE EXISTS (
        SELECT FROM results_run WHERE study_id = study.id AND counted) ORDER BY title LIMIT 200""",
    """SELECT id, name FROM inventory_configuration AS own WHERE EXISTS (
        SELECT FROM results_run WHERE configuration_id = own.id AND counted)
        ORDER BY name LIMIT 200""",
    """SELECT tool FROM unnest(ARRAY['fio', 'bonnie++', 'dbench', 'pgbench', 'sysbench', 'rados',
        'rbd']) AS own (tool) WHERE EXISTS (SELECT FROM results_run WHERE tool = own.tool)""",
    "SELECT name FROM inventory_host ORDER BY name LIMIT 200",
    """SELECT part.environment_id, part.role, host.name, machine.facts
        FROM inventory_environmentmachine AS part
        JOIN inventory_machinesnapshot AS machine ON machine.id = part.snapshot_id
        LEFT JOIN inventory_host AS host ON host.id = machine.host_id""",
    "SELECT environment_id, name FROM inventory_environmentname ORDER BY given_at, id",
    """SELECT key, text, number, count(*) FROM inventory_facet AS facet
        JOIN inventory_configuration AS own ON own.stack_id = facet.stack_id WHERE EXISTS (
        SELECT FROM results_run WHERE configuration_id = own.id AND counted)
        GROUP BY key, text, number ORDER BY key, number, text""",
    """SELECT tag.name, configuration_id FROM results_tag_configurations
        JOIN results_tag AS tag ON tag.id = tag_id""",
    """SELECT tag.name, condition.configuration_id FROM results_tag_studies AS given
        JOIN results_tag AS tag ON tag.id = given.tag_id
        JOIN results_condition AS condition ON condition.study_id = given.study_id""",
    """SELECT name FROM results_tag AS tag
        WHERE EXISTS (SELECT FROM results_tag_runs WHERE tag_id = tag.id)
        OR EXISTS (SELECT FROM results_tag_configurations WHERE tag_id = tag.id)
        OR EXISTS (SELECT FROM results_tag_studies WHERE tag_id = tag.id)""",
)

OF_STUDY = """
    SELECT run.id, tool, study_id, configuration_id, environment_id, workload_id, tool_version,
        label, notes, set_aside_reason, withdrawn_at, same_as_id, started_at, sample_id, beside,
        settings
    FROM results_run AS run JOIN results_sample AS sample ON sample.id = run.sample_id
    WHERE study_id = %s AND deleted_at IS NULL ORDER BY run.id
"""
LOOKS = """
    SELECT run.id, job.plan_id, job.round, plan.looks FROM results_run AS run
    JOIN jobs_jobstep AS step ON step.artifact_id = run.artifact_id
    JOIN jobs_job AS job ON job.id = step.job_id JOIN jobs_plan AS plan ON plan.id = job.plan_id
    WHERE run.id = ANY(%s)
"""
MEASURES_OF = """
    SELECT measure.*, own.samples FROM (
        SELECT measure_id, count(*) AS samples FROM results_measurement
        WHERE run_id = ANY(%s) GROUP BY measure_id
    ) AS own JOIN results_measure AS measure ON measure.id = own.measure_id
"""
TRACES = "SELECT id, run_id, measure_id FROM results_trace WHERE run_id = ANY(%s)"
WORDS_OF_STUDY = (
    "SELECT * FROM results_study WHERE id = %s",
    """SELECT condition.*, own.name, stack.tree FROM results_condition AS condition
        JOIN inventory_configuration AS own ON own.id = condition.configuration_id
        JOIN inventory_stack AS stack ON stack.id = own.stack_id WHERE study_id = %s""",
    """SELECT own.id, own.name, stack.tree, facet.key, facet.text, facet.number
        FROM inventory_configuration AS own JOIN inventory_stack AS stack ON stack.id = own.stack_id
        JOIN inventory_facet AS facet ON facet.stack_id = stack.id WHERE own.id IN (
        SELECT configuration_id FROM results_run WHERE study_id = %s)""",
    """SELECT part.environment_id, part.role, host.name, machine.facts
        FROM inventory_environmentmachine AS part
        JOIN inventory_machinesnapshot AS machine ON machine.id = part.snapshot_id
        LEFT JOIN inventory_host AS host ON host.id = machine.host_id
        WHERE part.environment_id IN (SELECT environment_id FROM results_run WHERE study_id = %s)""",
    """SELECT configuration_id, environment_id, count(*) FROM results_run WHERE study_id = %s
        AND deleted_at IS NULL AND withdrawn_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2""",
    "SELECT * FROM results_note WHERE study_id = %s",
    """SELECT tag.name FROM results_tag_studies
        JOIN results_tag AS tag ON tag.id = tag_id WHERE study_id = %s""",
)
