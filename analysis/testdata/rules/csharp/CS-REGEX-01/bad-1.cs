var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id, List<string> names) =>
{
  var found = names.Where(name => Regex.IsMatch(name, id)).ToList(); // ← here
  return Results.Ok(found);
});

app.Run();
