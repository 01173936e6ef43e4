using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private static readonly Dictionary<string, Type> Types = new() { ["order"] = typeof(Order) };
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    if (!Types.TryGetValue(id, out var type)) return NotFound();
    return Ok(Activator.CreateInstance(type));
  }
}
