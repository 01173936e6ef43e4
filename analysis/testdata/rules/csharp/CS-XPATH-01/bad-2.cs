var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id, XDocument users) =>
{
  var found = users.XPathSelectElement($"//user[name='{id}']"); // ← here
  return Results.Ok(found?.Value);
});

app.Run();
