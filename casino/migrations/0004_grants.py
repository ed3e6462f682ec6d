"""The rounds' partitioned shelf, the guard of private values, and who may do what."""

from django.conf import settings
from django.db import migrations

from casino.migrations import operational, projections, sql

PROJECTIONS = (
    "casino_attestation",
    "casino_burn",
    "casino_carta_aviso",
    "casino_closing",
    "casino_correction",
    "casino_cut",
    "casino_deck_inspection",
    "casino_duty",
    "casino_erasure",
    "casino_incident",
    "casino_incident_closure",
    "casino_interruption",
    "casino_last_round",
    "casino_limits",
    "casino_office_end",
    "casino_office_grant",
    "casino_partida",
    "casino_rebuild",
    "casino_round",
    "casino_shuffle",
    "casino_shuffler",
    "casino_shuffler_load",
    "casino_shuffler_unload",
    "casino_staff",
    "casino_supersession",
    "casino_table",
)
OPERATIONAL = (
    "casino_account",
    "casino_account_groups",
    "casino_account_user_permissions",
    "casino_witness_secret",
    "django_admin_log",
    "django_session",
)


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0003_shelves"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("sessions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.RunSQL(sql("0004_rounds", "0004_private"), sql("0004_undo")),
        migrations.RunSQL(projections(*PROJECTIONS), migrations.RunSQL.noop),
        migrations.RunSQL(operational(*OPERATIONAL), migrations.RunSQL.noop),
        migrations.RunSQL(
            "GRANT SELECT ON auth_group, auth_group_permissions, auth_permission,"
            " django_content_type, django_migrations TO app;",
            migrations.RunSQL.noop,
        ),
    ]
