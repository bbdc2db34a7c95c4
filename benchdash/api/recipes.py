"""`/api/v1/recipes/`: what can be run, and what people write to be run."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.access import user_of
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import validated, validated_query
from benchdash.jobs.models import OwnRecipe
from benchdash.jobs.own_recipes import offered, recipe_named, save_recipe
from benchdash.recipes import Recipe

_REFUSED = OpenApiResponse(ProblemSerializer, "The text is refused: the sentence names the line.")


class ParameterSerializer(serializers.Serializer[Any]):
    """One typed parameter of a recipe."""

    name = serializers.CharField()
    kind = serializers.CharField()
    label = serializers.DictField(child=serializers.CharField())  # type: ignore[assignment]
    help = serializers.DictField(child=serializers.CharField())
    default = serializers.JSONField(allow_null=True)
    choices = serializers.ListField(child=serializers.CharField())
    unit = serializers.CharField(allow_blank=True)
    axis = serializers.CharField(help_text="Of the workload, or `configuration`.")
    is_setting = serializers.BooleanField(help_text="Kept with runs: it can change a number.")
    many = serializers.BooleanField()  # type: ignore[assignment]
    allowed = serializers.CharField()


class RecipeSerializer(serializers.Serializer[Any]):
    """What can be run."""

    name = serializers.CharField()
    title = serializers.DictField(child=serializers.CharField())
    help = serializers.DictField(child=serializers.CharField())
    tools = serializers.ListField(child=serializers.CharField())
    nodes = serializers.IntegerField()
    admin = serializers.BooleanField()
    repeats = serializers.IntegerField()
    factors = serializers.DictField(child=serializers.ListField())
    parameters = serializers.SerializerMethodField()

    @extend_schema_field(ParameterSerializer(many=True))
    def get_parameters(self, recipe: Recipe) -> Any:
        return ParameterSerializer(list(recipe.parameters.values()), many=True).data


class WholeRecipeSerializer(RecipeSerializer):
    """A recipe with its YAML."""

    text = serializers.CharField()


class RecipeTextSerializer(serializers.Serializer[Any]):
    """The YAML of a recipe."""

    text = serializers.CharField(trim_whitespace=False)


class Recipes(APIView):
    """What can be run."""

    reads = Role.VIEWER
    writes = Role.ADMIN

    @extend_schema(operation_id="recipes_list", responses=RecipeSerializer(many=True))
    def get(self, request: Request) -> Response:
        """All recipes with their typed parameters, people's own after those of benchdash."""
        validated_query(serializers.Serializer, request)
        recipes = [each.recipe for each in offered() if each.recipe]
        return Response(RecipeSerializer(recipes, many=True).data)

    @extend_schema(
        operation_id="recipes_create",
        request=RecipeTextSerializer,
        responses={201: WholeRecipeSerializer, 422: _REFUSED},
    )
    def post(self, request: Request) -> Response:
        """A recipe of one's own; its name stands in its text."""
        return Response(_saved(OwnRecipe(), request), status=201)


class OneRecipe(APIView):
    """One recipe; only people's own are changed or removed."""

    reads = Role.VIEWER
    writes = Role.ADMIN

    @extend_schema(operation_id="recipes_retrieve", responses=WholeRecipeSerializer)
    def get(self, request: Request, name: str) -> Response:
        """A recipe with its YAML."""
        validated_query(serializers.Serializer, request)
        found = next((each.recipe for each in offered() if each.name == name), None)
        if found is None:
            raise Http404
        return Response(WholeRecipeSerializer(found).data)

    @extend_schema(
        operation_id="recipes_change",
        request=RecipeTextSerializer,
        responses={200: WholeRecipeSerializer, 422: _REFUSED},
    )
    def put(self, request: Request, name: str) -> Response:
        """Another text; plans keep the one that they were made from."""
        return Response(_saved(get_object_or_404(OwnRecipe, name=name), request))

    @extend_schema(operation_id="recipes_remove", responses={204: None})
    def delete(self, request: Request, name: str) -> Response:
        """Offer it no more."""
        get_object_or_404(OwnRecipe, name=name).delete()
        return Response(status=204)


def _saved(own: OwnRecipe, request: Request) -> Any:
    text = validated(RecipeTextSerializer, request.data)["text"]
    saved = save_recipe(own, text, user_of(request))
    return WholeRecipeSerializer(recipe_named(saved.name)).data
