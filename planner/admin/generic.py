"""Django's admin and form classes without type parameters, which only the type checker knows."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    ModelForm = forms.ModelForm[Any]
else:
    ModelAdmin = admin.ModelAdmin
    ModelForm = forms.ModelForm
