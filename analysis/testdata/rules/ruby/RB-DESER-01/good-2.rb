class ItemsController < ApplicationController
  def show
    @config = YAML.safe_load(params[:config])
  end
end
