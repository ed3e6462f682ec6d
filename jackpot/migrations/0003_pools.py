"""The shelves of pools, and contributions chip by chip: a book that has chips gets them anew."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.utils.module_loading import import_string

from casino.migrations import projections

PROJECTIONS = (
    "jackpot_terms",
    "jackpot_terms_confirmation",
    "jackpot_start",
    "jackpot_win",
    "jackpot_winner",
    "jackpot_payment",
    "jackpot_adjustment",
    "jackpot_seal",
    "jackpot_reading",
)


def chip_by_chip(apps: Any, schema_editor: Any) -> None:
    """Fill the shelf of contributions out of the book again, as `rebuild` does."""
    if schema_editor.connection.alias != "owner":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM jackpot_contribution)")
        if not cursor.fetchone()[0]:
            return
    # By their names: what fills a shelf lies above the migrations.
    rebuild = import_string("casino.rebuilding.rebuild")
    rebuild(import_string("jackpot.models.Contribution"))
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # the table is altered next


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0014_namings"),
        ("jackpot", "0002_grants"),
    ]

    operations = [
        migrations.CreateModel(
            name="JackpotAdjustment",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                (
                    "microcents",
                    models.BigIntegerField(editable=False, verbose_name="change of the meter"),
                ),
                ("reason", models.TextField(editable=False, verbose_name="reason")),
                ("reference", models.TextField(editable=False, verbose_name="reference")),
                (
                    "hit_n",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="entry of the win"
                    ),
                ),
            ],
            options={
                "verbose_name": "jackpot adjustment",
                "verbose_name_plural": "jackpot adjustments",
                "db_table": "jackpot_adjustment",
            },
        ),
        migrations.CreateModel(
            name="JackpotPayment",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                ("hit_n", models.BigIntegerField(editable=False, verbose_name="entry of the win")),
                ("owner", models.TextField(editable=False, verbose_name="owner")),
                ("box", models.BigIntegerField(editable=False, verbose_name="box")),
                ("code", models.TextField(editable=False, verbose_name="combination")),
                ("paid_cents", models.BigIntegerField(editable=False, verbose_name="paid")),
                (
                    "step",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="order of payment"
                    ),
                ),
                ("means", models.TextField(editable=False, verbose_name="means of payment")),
                ("document", models.TextField(editable=False, verbose_name="document")),
                (
                    "paid_at",
                    models.DateTimeField(editable=False, null=True, verbose_name="paid at"),
                ),
                ("approved_by", models.TextField(editable=False, verbose_name="approved by")),
                (
                    "again",
                    models.BooleanField(
                        editable=False, null=True, verbose_name="paid a second time"
                    ),
                ),
                ("named", models.BooleanField(editable=False, verbose_name="winner identified")),
            ],
            options={
                "verbose_name": "jackpot payment",
                "verbose_name_plural": "jackpot payments",
                "db_table": "jackpot_payment",
            },
        ),
        migrations.CreateModel(
            name="JackpotReading",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                ("display_cents", models.BigIntegerField(editable=False, verbose_name="display")),
            ],
            options={
                "verbose_name": "jackpot reading",
                "verbose_name_plural": "jackpot readings",
                "db_table": "jackpot_reading",
            },
        ),
        migrations.CreateModel(
            name="JackpotSeal",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                ("microcents", models.BigIntegerField(editable=False, verbose_name="meter")),
                (
                    "started_cents",
                    models.BigIntegerField(editable=False, verbose_name="starting values"),
                ),
                (
                    "contributed_microcents",
                    models.BigIntegerField(editable=False, verbose_name="contributions"),
                ),
                (
                    "adjusted_microcents",
                    models.BigIntegerField(editable=False, verbose_name="adjustments"),
                ),
                ("paid_cents", models.BigIntegerField(editable=False, verbose_name="paid")),
                ("held", models.JSONField(editable=False, verbose_name="held for wins")),
                ("up_to", models.JSONField(editable=False, verbose_name="counted up to")),
                (
                    "emptied_by",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="emptied by the win"
                    ),
                ),
            ],
            options={
                "verbose_name": "jackpot seal",
                "verbose_name_plural": "jackpot seals",
                "db_table": "jackpot_seal",
            },
        ),
        migrations.CreateModel(
            name="JackpotStart",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                (
                    "start_cents",
                    models.BigIntegerField(editable=False, verbose_name="starting value"),
                ),
                ("reason", models.TextField(editable=False, verbose_name="reason")),
                (
                    "hit_n",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="entry of the win"
                    ),
                ),
            ],
            options={
                "verbose_name": "jackpot start",
                "verbose_name_plural": "jackpot starts",
                "db_table": "jackpot_start",
            },
        ),
        migrations.CreateModel(
            name="JackpotTerms",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                ("terms", models.TextField(editable=False, verbose_name="version")),
                ("valid_from", models.DateTimeField(editable=False, verbose_name="valid from")),
                ("stake_cents", models.BigIntegerField(editable=False, verbose_name="side stake")),
                (
                    "rate_millionths",
                    models.BigIntegerField(
                        editable=False, verbose_name="percentage that goes to the meter"
                    ),
                ),
                (
                    "start_cents",
                    models.BigIntegerField(editable=False, verbose_name="starting value"),
                ),
                (
                    "cards_counted",
                    models.BigIntegerField(editable=False, verbose_name="cards that count"),
                ),
                ("lines", models.JSONField(editable=False, verbose_name="combinations")),
                ("match", models.TextField(editable=False, verbose_name="of several combinations")),
                ("marking", models.TextField(editable=False, verbose_name="marking")),
                ("tables", models.JSONField(editable=False, null=True, verbose_name="tables")),
                (
                    "limit_cents",
                    models.BigIntegerField(editable=False, null=True, verbose_name="limit"),
                ),
                (
                    "reserve_millionths",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="percentage kept in reserve"
                    ),
                ),
                (
                    "option_reference",
                    models.TextField(editable=False, verbose_name="communication"),
                ),
                (
                    "communicated_on",
                    models.DateField(editable=False, null=True, verbose_name="communicated on"),
                ),
                ("approval_reference", models.TextField(editable=False, verbose_name="decision")),
                (
                    "approved_on",
                    models.DateField(editable=False, null=True, verbose_name="decided on"),
                ),
                ("conditions", models.TextField(editable=False, verbose_name="conditions")),
            ],
            options={
                "verbose_name": "jackpot terms",
                "verbose_name_plural": "jackpot terms",
                "db_table": "jackpot_terms",
            },
        ),
        migrations.CreateModel(
            name="JackpotTermsConfirmation",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                (
                    "terms_n",
                    models.BigIntegerField(editable=False, verbose_name="entry of the terms"),
                ),
                ("terms_leaf", models.TextField(editable=False, verbose_name="leaf of the entry")),
            ],
            options={
                "verbose_name": "jackpot terms confirmed",
                "verbose_name_plural": "jackpot terms confirmed",
                "db_table": "jackpot_terms_confirmation",
            },
        ),
        migrations.CreateModel(
            name="JackpotWin",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                ("round", models.UUIDField(editable=False, null=True, verbose_name="round")),
                ("shoe", models.BigIntegerField(editable=False, null=True, verbose_name="shoe")),
                (
                    "number",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="number in the shoe"
                    ),
                ),
                ("winners", models.BigIntegerField(editable=False, verbose_name="winners")),
                ("codes", models.JSONField(editable=False, verbose_name="combinations")),
                (
                    "running_microcents",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="meter when it was seen"
                    ),
                ),
                (
                    "opened_at",
                    models.DateTimeField(
                        editable=False, null=True, verbose_name="cards open since"
                    ),
                ),
                (
                    "order",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="order among several"
                    ),
                ),
            ],
            options={
                "verbose_name": "jackpot win",
                "verbose_name_plural": "jackpot wins",
                "db_table": "jackpot_win",
            },
        ),
        migrations.CreateModel(
            name="JackpotWinnerRow",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                ("owner", models.TextField(editable=False, verbose_name="owner")),
                ("box", models.BigIntegerField(editable=False, verbose_name="box")),
                ("code", models.TextField(editable=False, verbose_name="combination")),
                ("seat", models.BigIntegerField(editable=False, null=True, verbose_name="seat")),
            ],
            options={
                "verbose_name": "jackpot winner",
                "verbose_name_plural": "jackpot winners",
                "db_table": "jackpot_winner",
            },
        ),
        migrations.AddField(
            model_name="contribution",
            name="chip",
            field=models.BigIntegerField(
                default=1, editable=False, verbose_name="chip of this owner here"
            ),
            preserve_default=False,
        ),
        migrations.RunPython(chip_by_chip, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="contribution",
            index=models.Index(
                fields=["jackpot", "stream", "n"],
                include=(
                    "told_by",
                    "partida_id",
                    "occurred_at",
                    "recorded_at",
                    "chips",
                    "stake_cents",
                ),
                name="contribution_since",
            ),
        ),
        migrations.AddConstraint(
            model_name="contribution",
            constraint=models.UniqueConstraint(
                fields=("jackpot", "entry", "box", "owner", "chip"), name="contribution_once"
            ),
        ),
        migrations.AddIndex(
            model_name="jackpotadjustment",
            index=models.Index(fields=["jackpot", "n"], name="adjustment_jackpot"),
        ),
        migrations.AddIndex(
            model_name="jackpotpayment",
            index=models.Index(fields=["jackpot", "hit_n"], name="payment_hit"),
        ),
        migrations.AddIndex(
            model_name="jackpotpayment",
            index=models.Index(fields=["partida_id"], name="payment_partida"),
        ),
        migrations.AddIndex(
            model_name="jackpotreading",
            index=models.Index(fields=["jackpot", "n"], name="reading_jackpot"),
        ),
        migrations.AddIndex(
            model_name="jackpotseal",
            index=models.Index(fields=["jackpot", "n"], name="seal_jackpot"),
        ),
        migrations.AddIndex(
            model_name="jackpotstart",
            index=models.Index(fields=["jackpot", "n"], name="start_jackpot"),
        ),
        migrations.AddIndex(
            model_name="jackpotterms",
            index=models.Index(fields=["jackpot", "valid_from"], name="terms_jackpot"),
        ),
        migrations.AddIndex(
            model_name="jackpottermsconfirmation",
            index=models.Index(fields=["jackpot", "terms_n"], name="terms_confirmed"),
        ),
        migrations.AddIndex(
            model_name="jackpotwin",
            index=models.Index(fields=["jackpot", "n"], name="win_jackpot"),
        ),
        migrations.AddIndex(
            model_name="jackpotwin",
            index=models.Index(fields=["partida_id"], name="win_partida"),
        ),
        migrations.AddIndex(
            model_name="jackpotwin",
            index=models.Index(fields=["round"], name="win_round"),
        ),
        migrations.AddField(
            model_name="jackpotwinnerrow",
            name="entry",
            field=models.ForeignKey(
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="casino.bookentry",
            ),
        ),
        migrations.AddIndex(
            model_name="jackpotwinnerrow",
            index=models.Index(fields=["jackpot", "n"], name="winner_jackpot"),
        ),
        migrations.AddConstraint(
            model_name="jackpotwinnerrow",
            constraint=models.UniqueConstraint(
                fields=("entry", "owner", "box"), name="winner_once"
            ),
        ),
        migrations.RunSQL(projections(*PROJECTIONS), migrations.RunSQL.noop),
    ]
