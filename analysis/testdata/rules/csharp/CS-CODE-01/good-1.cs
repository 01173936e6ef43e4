var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id) =>
{
  var result = await CSharpScript.EvaluateAsync("1 + 1");
  return Results.Ok(result);
});

app.Run();
