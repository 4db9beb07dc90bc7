"""Signing in with a company account, in a browser that keeps to the policy, and seeing where one is signed in."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.alone.conftest import BROKER
from tests.e2e.axe import violations
from tests.e2e.conftest import Site, installed, signed_in
from tests.e2e.expecting import expect
from tests.identity_provider import known, provider

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with provider(tmp_path_factory.mktemp("provider")) as address:
        yield address


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory, issuer: str) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("company")
    secret = folder / "oidc_client_secret"
    secret.write_text("kept-in-a-file")
    variables = {"OIDC_ISSUER": issuer, "OIDC_CLIENT_ID": "sluice", "OIDC_CLIENT_SECRET_FILE": str(secret)}
    with installed(folder, {**BROKER, **variables, "OIDC_NAME": "Example Ltd"}) as made:
        yield made


def test_somebody_signs_in_with_a_company_account(company: Site, issuer: str, browser: Browser) -> None:
    known(issuer, "7", email="ada@example.org", email_verified=True, preferred_username="ada")
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{company.address}/teams/")
    assert violations(page) == []
    page.get_by_role("button", name="Sign in with Example Ltd").click()
    page.get_by_placeholder("sub").fill("7")
    page.get_by_role("button", name="Authorize").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Teams")
    page.get_by_label("Account of ada").click()
    page.get_by_role("link", name="Where you are signed in").click()
    expect(page.get_by_text("this browser")).to_be_visible()
    assert violations(page) == []
    assert [text for text in said if "Security" in text] == []
    page.context.close()


def test_a_link_leads_somebody_new_through_the_provider_into_a_team(
    company: Site, issuer: str, browser: Browser
) -> None:
    known(issuer, "8", email="zoe@example.org", email_verified=True, preferred_username="zoe")
    context = signed_in(browser, company)
    admin, page = context.new_page(), browser.new_page()
    admin.goto("/teams/")
    admin.get_by_label("Name").fill("Payments")
    admin.get_by_role("button", name="Create a team").click()
    admin.get_by_label("The name they sign in with").fill("Zoe@example.org")
    admin.get_by_role("button", name="Create a link").click()
    link = admin.locator("#link").inner_text()
    assert violations(admin) == []
    page.goto(link)
    page.get_by_role("button", name="Sign in with Example Ltd").click()
    page.get_by_placeholder("sub").fill("8")
    page.get_by_role("button", name="Authorize").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Join Payments?")
    assert violations(page) == []
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("You are planner of Payments.")).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("This link does not invite you")
    admin.goto(link)
    expect(admin.get_by_role("heading", level=1)).to_have_text("This link does not invite you")
    page.context.close()
    context.close()


def test_one_browser_is_signed_out_from_another(company: Site, browser: Browser) -> None:
    context = signed_in(browser, company)
    page, there = context.new_page(), browser.new_context(base_url=company.address, user_agent="Lost laptop")
    lost = there.new_page()
    lost.goto("/teams/")
    lost.get_by_label("Name").fill(company.user)
    lost.get_by_label("Password").fill(company.password)
    lost.get_by_role("button", name="Sign in", exact=True).click()
    expect(lost.get_by_role("heading", level=1)).to_have_text("Teams")
    page.goto("/account/sessions/")
    assert violations(page) == []
    page.get_by_role("button", name="Sign out Lost laptop").click()
    expect(page.get_by_text("Browsers signed out: 1.")).to_be_visible()
    lost.goto("/teams/")
    expect(lost.get_by_role("heading", level=1)).to_have_text("Sign in")
    there.close()
    context.close()
