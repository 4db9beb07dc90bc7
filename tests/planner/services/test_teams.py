"""Teams: roles, the last admin, handing over, closing an account, and who signs."""

import secrets
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from planner import selectors, services
from planner.errors import Conflict, Forbidden, NotFound, QuotaReached
from planner.models import AuditEvent, Baseline, Membership, ReportState, Role, Run, Scenario, Team, Webhook
from planner.models.team import Invitation
from planner.selectors.inventory import servers_list
from planner.services.teams import MOST_COUNTED
from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import parse
from tests.planner.computing import compute


@pytest.fixture
def team(owner: User) -> Team:
    """A team of the owner."""
    return services.team_create(actor=owner, name="  Payments ")


@pytest.fixture
def colleague(team: Team, owner: User) -> User:
    """A planner in it."""
    made = User.objects.create_user("cleo")
    services.member_set(team=team, actor=owner, name="cleo", role="planner")
    return made


def test_a_team_needs_a_name_of_its_own(team: Team, owner: User, stranger: User) -> None:
    assert (team.name, selectors.role_of(team, user=owner)) == ("Payments", Role.ADMIN)
    assert selectors.role_of(team, user=stranger) is None
    with pytest.raises(Conflict, match="there is a team 'Payments' already"):
        services.team_create(actor=stranger, name="Payments")
    for name in ("  ", "x" * 61, "a\u202eb"):
        with pytest.raises(InvalidInput):
            services.team_create(actor=stranger, name=name)


def test_admins_manage_members_and_one_of_them_stays(team: Team, owner: User, colleague: User) -> None:
    with pytest.raises(Forbidden, match=r"takes the role “admin”.*yours is “planner”"):
        services.member_set(team=team, actor=colleague, name="ada", role="viewer")
    with pytest.raises(InvalidInput, match="nobody of this name"):
        services.member_set(team=team, actor=owner, name="nobody", role="viewer")
    with pytest.raises(InvalidInput, match="unknown role"):
        services.member_set(team=team, actor=owner, name="cleo", role="boss")
    for refused in (
        lambda: services.member_set(team=team, actor=owner, name="ada", role="viewer"),
        lambda: services.member_remove(team=team, actor=owner, name="ada"),
    ):
        with pytest.raises(Conflict, match="at least one admin"):
            refused()
    services.member_set(team=team, actor=owner, name="cleo", role="admin")
    services.member_remove(team=team, actor=owner, name="ada")
    assert [member.user for member in selectors.team_members(team=team)] == [colleague]
    with pytest.raises(NotFound):
        selectors.team_get(user=owner, team_id=team.pk)


def test_an_invitation_counts_once_for_whom_it_names(team: Team, owner: User, colleague: User, stranger: User) -> None:
    sent = services.member_invite(team=team, actor=owner, name=" eve ", role="planner")
    assert sent.secret not in str(vars(sent.row)) and sent.row.invited == "eve"
    for other in (owner, colleague):
        with pytest.raises(NotFound):
            services.invitation_accept(secret=sent.secret, user=other)
    assert services.invitation_read(secret=sent.secret, user=stranger).team == team
    assert services.invitation_accept(secret=sent.secret, user=stranger).role == Role.PLANNER
    with pytest.raises(NotFound):
        services.invitation_accept(secret=sent.secret, user=stranger)
    rows = AuditEvent.objects.filter(action__in=["team.invite", "team.join"]).order_by("pk")
    assert [(row.action, row.actor, row.team) for row in rows] == [
        ("team.invite", owner, team),
        ("team.join", stranger, team),
    ]


def test_an_address_of_nobody_is_invited_like_one_of_somebody(team: Team, owner: User, stranger: User) -> None:
    stranger.email = "Eve@example.org"
    for name in ("eve@EXAMPLE.org", "nobody@example.org", "nobody"):
        assert services.member_invite(team=team, actor=owner, name=name, role="viewer").row.invited == name
    sent = services.member_invite(team=team, actor=owner, name="eve@EXAMPLE.org", role="approver")
    assert services.invitation_accept(secret=sent.secret, user=stranger).role == Role.APPROVER


def test_an_invitation_ends(team: Team, owner: User, colleague: User, stranger: User) -> None:
    first = services.member_invite(team=team, actor=owner, name="eve", role="viewer")
    again = services.member_invite(team=team, actor=owner, name="eve", role="planner")
    with pytest.raises(NotFound):
        services.invitation_read(secret=first.secret, user=stranger)
    for refused in (
        lambda: services.member_invite(team=team, actor=colleague, name="x", role="viewer"),
        lambda: services.invitation_withdraw(team=team, actor=colleague, invitation_id=again.row.pk),
        lambda: selectors.invitations_list(user=colleague, team=team),
    ):
        with pytest.raises(Forbidden):
            refused()
    other = services.team_create(actor=stranger, name="Other")
    with pytest.raises(NotFound):
        services.invitation_withdraw(team=other, actor=stranger, invitation_id=again.row.pk)
    services.invitation_withdraw(team=team, actor=owner, invitation_id=again.row.pk)
    with pytest.raises(NotFound):
        services.invitation_read(secret=again.secret, user=stranger)
    late = services.member_invite(team=team, actor=owner, name="eve", role="viewer", days=1)
    Invitation.objects.filter(pk=late.row.pk).update(expires_at=timezone.now())
    assert not selectors.invitations_list(user=owner, team=team).exists()
    with pytest.raises(NotFound):
        services.invitation_read(secret=late.secret, user=stranger)


def test_an_invitation_keeps_the_last_admin_and_names_its_limits(team: Team, owner: User) -> None:
    sent = services.member_invite(team=team, actor=owner, name="ada", role="viewer", days=9999)
    assert sent.row.expires_at < timezone.now() + timedelta(days=31)
    with pytest.raises(Conflict, match="at least one admin"):
        services.invitation_accept(secret=sent.secret, user=owner)
    assert services.invitation_read(secret=sent.secret, user=owner) == sent.row
    for name in (" ", "x" * 151, "a\u202eb"):
        with pytest.raises(InvalidInput, match="e-mail address"):
            services.member_invite(team=team, actor=owner, name=name, role="viewer")
    with pytest.raises(InvalidInput, match="unknown role"):
        services.member_invite(team=team, actor=owner, name="eve", role="boss")


def test_who_makes_or_guesses_too_many_invitations_waits(team: Team, stranger: User) -> None:
    guesser = User.objects.create_user(f"guesser-{secrets.token_hex(8)}", pk=secrets.randbits(31))
    for _ in range(MOST_COUNTED):
        with pytest.raises(NotFound):
            services.invitation_read(secret="none", user=guesser)
    with pytest.raises(QuotaReached, match="100 invitations an hour"):
        services.invitation_read(secret="none", user=guesser)
    with pytest.raises(NotFound):
        services.invitation_read(secret="none", user=stranger)


@pytest.mark.django_db(transaction=True)  # the heartbeat asks on a connection of its own
def test_a_scenario_takes_its_runs_and_reports_along(team: Team, owner: User, colleague: User, run: Run) -> None:
    compute(run)
    scenario = run.version.scenario
    report = services.report_create(run=run, owner=owner)
    services.baseline_pin(owner=owner, version=scenario.version)
    with pytest.raises(NotFound):
        selectors.run_get(user=colleague, run_id=run.pk)
    services.hand_over(row=scenario, actor=owner, team=team)
    assert selectors.run_get(user=colleague, run_id=run.pk) == run
    assert selectors.report_get(user=colleague, report_id=report.pk) == report
    assert list(selectors.runs_list(user=colleague)) == [run]
    assert not Baseline.objects.filter(unpinned_at=None).exists()
    services.member_set(team=team, actor=owner, name="cleo", role="admin")
    services.member_remove(team=team, actor=owner, name="ada")
    assert not selectors.runs_list(user=owner).exists()
    event = AuditEvent.objects.get(action="scenario.hand-over")
    assert (event.team, event.details) == (team, {"to": "Payments"})


def test_a_team_has_one_run_of_a_content_and_one_baseline(
    team: Team, owner: User, colleague: User, scenario: Scenario
) -> None:
    services.hand_over(row=scenario, actor=owner, team=team)
    version = selectors.scenario_get(user=colleague, scenario_id=scenario.pk).version
    first = services.run_start(version=version, owner=owner).run
    assert services.run_start(version=version, owner=colleague).run == first
    alone = services.scenario_store(owner=colleague, spec=version.parsed)
    assert services.run_start(version=alone.version, owner=colleague).run != first
    pins = [services.baseline_pin(owner=person, version=version) for person in (owner, colleague)]
    own = services.baseline_pin(owner=colleague, version=alone.version)
    assert pins[0] == pins[1] and own != pins[0]
    assert selectors.baseline_of(user=colleague, scenario=alone) == own
    assert selectors.baseline_of(user=colleague, scenario=version.scenario) == pins[0]


def test_who_may_hand_over(team: Team, owner: User, colleague: User, stranger: User, scenario: Scenario) -> None:
    with pytest.raises(Forbidden):
        services.hand_over(row=scenario, actor=colleague, person="cleo")
    others = services.team_create(actor=stranger, name="Others")
    with pytest.raises(Forbidden):
        services.hand_over(row=scenario, actor=owner, team=others)
    services.hand_over(row=scenario, actor=owner, team=team)
    with pytest.raises(Forbidden):
        services.hand_over(row=scenario, actor=colleague, person="cleo")
    with pytest.raises(InvalidInput, match="nobody of this name"):
        services.hand_over(row=scenario, actor=owner, person="nobody")
    services.hand_over(row=scenario, actor=owner, person="eve")
    scenario.refresh_from_db()
    assert (scenario.owner, scenario.team) == (stranger, None)


def test_names_of_servers_are_unique_where_they_belong(
    team: Team, owner: User, stranger: User, scenario: Scenario
) -> None:
    mine, theirs = (
        services.inventory_save(owner=person, spec=scenario.version.parsed)[0] for person in (owner, stranger)
    )
    services.hand_over(row=mine, actor=owner, team=team)
    again = services.inventory_save(owner=owner, spec=scenario.version.parsed)[0]
    assert again != mine and set(servers_list(user=owner)) == {again, mine}
    with pytest.raises(Conflict, match="there already"):
        services.hand_over(row=again, actor=owner, team=team)
    with pytest.raises(Conflict, match="there already"):
        services.hand_over(row=theirs, actor=stranger, person="ada")


def test_a_teams_webhook_hears_of_its_runs_only(team: Team, owner: User, colleague: User, scenario: Scenario) -> None:
    for held in (team, None):
        Webhook.objects.create(owner=owner, team=held, url="https://example.org", events=["run.cancelled"], nonce="n")
    services.hand_over(row=scenario, actor=owner, team=team)
    run = services.run_start(version=scenario.version, owner=colleague).run
    services.job_cancel(run, actor=colleague)
    told = [webhook for webhook in Webhook.objects.all() if webhook.deliveries.exists()]
    assert [webhook.team for webhook in told] == [team]


@pytest.mark.django_db(transaction=True)
def test_nobody_signs_their_own_report_in_a_team(team: Team, owner: User, colleague: User, run: Run) -> None:
    compute(run)
    services.hand_over(row=run.version.scenario, actor=owner, team=team)
    owner.user_permissions.add(Permission.objects.get(codename="sign_report"))
    author = User.objects.get(pk=owner.pk)
    report = services.report_create(run=run, owner=author)
    services.report_step(report=report, actor=author, to=ReportState.IN_REVIEW)
    for person in (author, colleague):
        with pytest.raises(Forbidden, match="review takes two people"):
            services.report_step(report=report, actor=person, to=ReportState.SIGNED)
    assert not selectors.reports_in_review(user=colleague).exists()
    services.member_set(team=team, actor=author, name="cleo", role="approver")
    assert list(selectors.reports_in_review(user=colleague)) == [report]
    signed = services.report_step(report=report, actor=colleague, to=ReportState.SIGNED)
    assert signed.state == ReportState.SIGNED


@pytest.mark.django_db(transaction=True)
def test_a_report_of_a_team_is_hidden_from_those_who_sign_elsewhere(
    team: Team, owner: User, stranger: User, run: Run
) -> None:
    compute(run)
    stranger.user_permissions.add(Permission.objects.get(codename="sign_report"))
    signer = User.objects.get(pk=stranger.pk)
    report = services.report_create(run=run, owner=owner)
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    assert selectors.report_get(user=signer, report_id=report.pk) == report
    services.hand_over(row=run.version.scenario, actor=owner, team=team)
    with pytest.raises(NotFound):
        selectors.report_get(user=signer, report_id=report.pk)


def test_an_account_closes_by_handing_everything_over(
    team: Team, owner: User, colleague: User, stranger: User, scenario: Scenario
) -> None:
    services.hand_over(row=scenario, actor=owner, team=team)
    own = services.scenario_store(owner=owner, spec=parse(scenario.version.spec), preset="surge-backlog")
    token = services.token_create(owner=owner, name="t", scopes=["read"])
    with pytest.raises(Conflict, match="at least one admin"):
        services.person_close(person=owner, successor=stranger, actor=None)
    services.member_set(team=team, actor=owner, name="cleo", role="admin")
    with pytest.raises(Forbidden):
        services.person_close(person=owner, successor=owner, actor=None)
    services.person_close(person=owner, successor=stranger, actor=None)
    own.refresh_from_db()
    assert (own.owner, own.preset, owner.is_active) == (stranger, "", False)
    assert services.token_use(secret=token.secret) is None
    assert list(Membership.objects.all()) == [Membership.objects.get(user=colleague)]
    assert selectors.scenario_get(user=colleague, scenario_id=scenario.pk) == scenario
