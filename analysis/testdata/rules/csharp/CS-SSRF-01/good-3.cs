var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (int id, HttpClient http) =>
{
  return Results.Ok(await http.GetStringAsync($"/orders/{id}"));
});

app.Run();
