var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (HttpContext ctx) =>
{
  await ctx.Response.WriteAsync($"<p>Hello {ctx.Request.Query["name"]}</p>"); // ← here
});

app.Run();
