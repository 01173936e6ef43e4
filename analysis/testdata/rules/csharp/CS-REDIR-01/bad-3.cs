var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id) =>
{
  return Results.Redirect(id); // ← here
});

app.Run();
