using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    if (id.Contains("..") || id.Contains("/")) return BadRequest();
    return Ok(System.IO.File.ReadAllText("/data/" + id));
  }
}
