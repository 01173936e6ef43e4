using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    if (!Regex.IsMatch(id, "^[a-z0-9]+$")) return BadRequest();
    Process.Start("bash", "-c \"ls " + id + "\"");
    return Ok();
  }
}
