"""Signing in with a company account, in a browser that keeps to the policy, and seeing where one is signed in."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.alone.conftest import BROKER
from tests.e2e.axe import violations
from tests.e2e.conftest import Site, installed
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
